"""The frozen records that flow one way: golden set -> answers -> scores -> run -> comparison -> report.

Everything here is data; functions elsewhere turn one record into another. Import from the file that
defines a name.
"""
