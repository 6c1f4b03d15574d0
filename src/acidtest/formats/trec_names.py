"""trec_eval's names for measures, and ours."""

import re

_WHOLE = {
    "map": "map",
    "recip_rank": "mrr",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "ndcg": "ndcg",
    "set_P": "precision",
    "set_recall": "recall",
    "set_F": "f1",
}
_CUT = {
    "map_cut": "map",
    "P": "precision",
    "recall": "recall",
    "ndcg_cut": "ndcg",
    "success": "hit",
}


def ours(name: str) -> list[str]:
    """Translate a measure: `P_5` and `P.5` to `precision@5`, `P.5,10` to two names.

    What is not trec_eval's comes back as it is.
    """
    if name in _WHOLE:
        return [_WHOLE[name]]
    cut = re.fullmatch(r"([A-Za-z_]+)[._](\d+(?:,\d+)*)", name)
    if cut and cut[1] in _CUT:
        return [f"{_CUT[cut[1]]}@{k}" for k in cut[2].split(",")]
    return [name]
