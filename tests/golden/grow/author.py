"""A model that writes and checks questions by rule: as a fake judge, and behind the stub endpoint."""

import json
import re

from tests.judges.stub import Asked, Reply, says

from acidtest.data.corpus import Corpus, CorpusChunk

TEAMS = ("amber", "basalt", "cobalt", "dahlia", "ebony", "fennel", "garnet", "hazel")
_PASSAGE = re.compile(r"<passage (\d+) (\w{8})>\n(.*?)\n</passage \1 \2>", re.DOTALL)
_QUESTION = re.compile(r"<question (\w{8})>\n(.*?)\n</question \1>", re.DOTALL)


def chunk(n, **more):
    """A chunk with two facts, an identifier, and a team that it shares with every eighth other one."""
    team = TEAMS[n % len(TEAMS)]
    text = (
        f"Machine M-{n:03} takes {n + 3} litres of lubricant every week. "
        f"It is serviced by the {team} crew{n // 8}, who report to the depot."
    )
    return CorpusChunk(
        **{"id": f"c{n}", "text": text, "doc_id": f"d{n // 4}", "section": f"Hall {n}"} | more
    )


def corpus(count):
    return Corpus([chunk(n) for n in range(count)])


def draft(name, passages):
    """Return the reply of a good model to a prompt."""
    quotes = [
        {"passage": n, "quote": text.split(". ")[0]} for n, text in enumerate(passages, start=1)
    ]
    about = " and ".join(re.findall(r"M-\d+", " ".join(passages))) or passages[0][:20]
    litres = " and ".join(re.findall(r"\d+ litres", " ".join(passages)))
    said = {
        "quotes": quotes,
        "question": f"How thirsty is {about}?",
        "reference": f"It drinks {litres}.",
    }
    if name == "synthesize_multi_part":
        quotes.append({"passage": 1, "quote": passages[0].split(". ")[1]})
        said["question"] = f"How thirsty is {about}, and who looks after that one?"
    elif name == "synthesize_identifier":
        said["question"] = f"What do I have to know of {about}?"
    elif name == "synthesize_comparison":
        said["question"] = f"Which is thirstier, {about}?"
    elif name == "synthesize_follow_up":
        said |= {"earlier_question": f"Who looks after {about}?", "earlier_answer": "A crew."}
        said["question"] = f"And its thirst ({about})?"
    elif name == "synthesize_unanswerable":
        return {"missing": "the colour", "question": f"What colour is {about}?"}
    return said


def check(question, passages):
    """Return the reply of a good model to whether passages answer a question."""
    if "colour" in question:
        return {"answer": "", "needed": [], "verdict": "not_answered"}
    needed = [n for n, text in enumerate(passages, start=1) if _about(text, question)]
    return {"answer": "So it is.", "needed": needed, "verdict": "answered"}


def _about(text, question):
    found = re.search(r"M-\d+", text)
    return found is None or found[0] in question


def replies(**other):
    """Return a script for `FakeJudge`: every prompt is answered well, unless another reply is given."""
    kinds = (
        "lookup",
        "multi_part",
        "multi_hop",
        "comparison",
        "follow_up",
        "identifier",
        "unanswerable",
    )
    names = [f"synthesize_{kind}" for kind in kinds]
    script = {name: (lambda fields, name=name: draft(name, fields["passages"])) for name in names}
    script["answerable"] = lambda fields: check(fields["question"], fields["passages"])
    return script | other


def answer(asked: Asked):
    """Return what the model replies to a chat completion."""
    body = json.loads(asked.raw)
    name = body["response_format"]["json_schema"]["name"]
    text = body["messages"][-1]["content"]
    passages = [found[3] for found in _PASSAGE.finditer(text)]
    if name == "answerable":
        return check(_QUESTION.search(text)[2], passages)
    return draft(name, passages)


def completion(value) -> Reply:
    """Return a chat completion that says this."""
    content = value if isinstance(value, str) else json.dumps(value)
    return says(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": "author-2026-11-01",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content, "refusal": None},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 400, "completion_tokens": 80, "total_tokens": 480},
        }
    )


def author(asked: Asked) -> Reply:
    """Answer as the endpoint of a good model."""
    if asked.method != "POST":
        return says({"data": [{"id": "author"}]})
    return completion(answer(asked))
