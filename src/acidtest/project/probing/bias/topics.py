"""What the built-in items of the bias probes are about: answers that are plainly right or wrong.

Every claim of a right answer stands in its evidence word for word, none of a wrong one does: a judge that
goes by wording can be probed too. Each has numbers, and most have names, for faults to be planted in.
"""

from msgspec import Struct


class Topic(Struct, frozen=True):
    """One topic.

    Attributes:
        name: Its identity.
        question: What is asked.
        evidence: The passage that answers it.
        right: An answer that the evidence states.
        wrong: An answer none of whose claims the evidence states.
        reference: The expected answer in a few words.
    """

    name: str
    question: str
    evidence: str
    right: str
    wrong: str
    reference: str


TOPICS: tuple[Topic, ...] = (
    Topic(
        name="plan",
        question='What does the "Pro" plan cost, and what does it include?',
        evidence='The "Pro" plan costs 49 euros a month. It includes priority support and 12 user accounts. It can be cancelled at the end of every month.',
        right='The "Pro" plan costs 49 euros a month. It includes priority support and 12 user accounts.',
        wrong='The "Pro" plan costs 85 euros a month. It includes a free laptop.',
        reference="49 euros a month, with priority support and 12 user accounts",
    ),
    Topic(
        name="warranty",
        question="How long is the warranty on a boiler?",
        evidence='The warranty on a boiler lasts 24 months from the day of delivery. It covers leaks and faulty valves. Repairs under warranty are carried out by "Hansen Heating".',
        right='The warranty on a boiler lasts 24 months from the day of delivery. Repairs under warranty are carried out by "Hansen Heating".',
        wrong="The warranty on a boiler lasts 60 months from the day of purchase. Repairs under warranty are carried out by the landlord.",
        reference="24 months from the day of delivery",
    ),
    Topic(
        name="travel",
        question="Who signs travel requests?",
        evidence="Travel requests are signed by the accounting office in Lisbon. They must be handed in 14 days before the journey.",
        right="Travel requests are signed by the accounting office in Lisbon. They must be handed in 14 days before the journey.",
        wrong="Travel requests are signed by the gardener in Oslo. They must be handed in after the journey.",
        reference="the accounting office in Lisbon",
    ),
    Topic(
        name="opening",
        question="When does the museum open?",
        evidence="The museum opens at 9:30 on weekdays. It is closed on Mondays. The last tickets are sold 45 minutes before closing.",
        right="The museum opens at 9:30 on weekdays. It is closed on Mondays.",
        wrong="The museum opens at 6:15 on weekdays. It is closed on Fridays.",
        reference="at 9:30 on weekdays, and not on Mondays",
    ),
    Topic(
        name="bridge",
        question='How long is the "Tarn" bridge?',
        evidence='The "Tarn" bridge is 2460 metres long. It was opened in December 2004. Its highest pillar measures 343 metres.',
        right='The "Tarn" bridge is 2460 metres long. It was opened in December 2004.',
        wrong='The "Tarn" bridge is 1130 metres long. It was opened in spring 1988.',
        reference="2460 metres",
    ),
    Topic(
        name="backup",
        question="How often are backups made?",
        evidence="Backups are made every 6 hours. They are kept for 30 days in the Frankfurt data centre. A restore is tested once a quarter.",
        right="Backups are made every 6 hours. They are kept for 30 days in the Frankfurt data centre.",
        wrong="Backups are made once a week. They are kept for a year in the Dublin office.",
        reference="every 6 hours",
    ),
    Topic(
        name="library",
        question="How many books may a student borrow?",
        evidence="A student may borrow 15 books at a time. The loan period is 28 days. Books that are late cost 20 cents a day.",
        right="A student may borrow 15 books at a time. The loan period is 28 days.",
        wrong="A student may borrow 4 books at a time. The loan period is one week.",
        reference="15 books",
    ),
    Topic(
        name="parcel",
        question="What may a parcel weigh?",
        evidence="A parcel may weigh up to 31 kilograms. Parcels to Iceland are delivered within 8 working days.",
        right="A parcel may weigh up to 31 kilograms. Parcels to Iceland are delivered within 8 working days.",
        wrong="A parcel may weigh up to 70 kilograms. Parcels to Iceland are not accepted.",
        reference="up to 31 kilograms",
    ),
    Topic(
        name="vaccine",
        question="At which temperature is the vaccine stored?",
        evidence="The vaccine is stored at 5 degrees. Once opened it must be used within 6 hours. It was approved by the agency in Amsterdam.",
        right="The vaccine is stored at 5 degrees. Once opened it must be used within 6 hours.",
        wrong="The vaccine is stored at 40 degrees. Once opened it keeps for two months.",
        reference="at 5 degrees",
    ),
    Topic(
        name="leave",
        question="How many days of leave do employees have?",
        evidence="Employees have 27 days of leave a year. Unused days are carried over until the end of March. Requests are approved by the team leader.",
        right="Employees have 27 days of leave a year. Unused days are carried over until the end of March.",
        wrong="Employees have 18 days of leave a year. Unused days are paid out in August.",
        reference="27 days a year",
    ),
    Topic(
        name="ferry",
        question="When does the first ferry to Skagen leave?",
        evidence="The first ferry to Skagen leaves at 7:20. The crossing takes 95 minutes. Bicycles travel free of charge.",
        right="The first ferry to Skagen leaves at 7:20. The crossing takes 95 minutes.",
        wrong="The first ferry to Skagen leaves at 11:50. The crossing takes three hours.",
        reference="at 7:20",
    ),
    Topic(
        name="password",
        question="How long must a password be?",
        evidence="A password must have at least 14 characters. It expires after 180 days. Forgotten passwords are reset by the help desk in Porto.",
        right="A password must have at least 14 characters. It expires after 180 days.",
        wrong="A password must have at least 5 characters. It never expires.",
        reference="at least 14 characters",
    ),
    Topic(
        name="solar",
        question="What is the output of the roof plant?",
        evidence='The roof plant has an output of 480 kilowatts. It was built by "Solar Nord" in 2019. It supplies about 110 households.',
        right='The roof plant has an output of 480 kilowatts. It was built by "Solar Nord" in 2019.',
        wrong="The roof plant has an output of 75 kilowatts. It was built by the fire brigade in 2003.",
        reference="480 kilowatts",
    ),
    Topic(
        name="invoice",
        question="When is an invoice due?",
        evidence="An invoice is due 21 days after its date. After 2 reminders a fee of 8 euros is charged. Questions are answered by Marta Keller.",
        right="An invoice is due 21 days after its date. After 2 reminders a fee of 8 euros is charged.",
        wrong="An invoice is due on receipt. After one reminder a fee of 150 euros is charged.",
        reference="21 days after its date",
    ),
    Topic(
        name="trail",
        question='How long is the "lake" trail?',
        evidence='The "lake" trail is 17 kilometres long. It starts at the station in Brunnen. Dogs must be kept on a lead.',
        right='The "lake" trail is 17 kilometres long. It starts at the station in Brunnen.',
        wrong='The "lake" trail is 52 kilometres long. It starts at the airport in Geneva.',
        reference="17 kilometres",
    ),
    Topic(
        name="printer",
        question="How many pages does a cartridge print?",
        evidence='A cartridge prints about 2300 pages. Cartridges are ordered from "Weber Office". Empty ones are collected on Thursdays.',
        right='A cartridge prints about 2300 pages. Cartridges are ordered from "Weber Office".',
        wrong="A cartridge prints about 400 pages. Cartridges are ordered from the cafeteria.",
        reference="about 2300 pages",
    ),
    Topic(
        name="course",
        question="What does the first aid course cost?",
        evidence='The first aid course costs 65 francs. It takes 9 hours on a Saturday. It is held by the "Red Cross" in Basel.',
        right="The first aid course costs 65 francs. It takes 9 hours on a Saturday.",
        wrong="The first aid course is free of charge. It takes three evenings in June.",
        reference="65 francs",
    ),
    Topic(
        name="api",
        question="How many requests may a client send?",
        evidence="A client may send 600 requests a minute. Above that the service replies with status 429. Limits are raised by the Helsinki team.",
        right="A client may send 600 requests a minute. Above that the service replies with status 429.",
        wrong="A client may send 40 requests a minute. Above that the account is deleted.",
        reference="600 requests a minute",
    ),
    Topic(
        name="rent",
        question="What is the deposit for the flat?",
        evidence="The deposit for the flat is 1850 euros. It is paid back within 6 months. The keys are handed over by Ms Lindqvist.",
        right="The deposit for the flat is 1850 euros. It is paid back within 6 months.",
        wrong="The deposit for the flat is 300 euros. It is never paid back.",
        reference="1850 euros",
    ),
    Topic(
        name="tower",
        question="Who designed the water tower?",
        evidence="The water tower was designed by Ada Moreau in 1926. It is 58 metres high. A climb has 312 steps.",
        right="The water tower was designed by Ada Moreau in 1926. It is 58 metres high.",
        wrong="The water tower was designed by a bakery in 1790. It is 12 metres high.",
        reference="Ada Moreau",
    ),
)
