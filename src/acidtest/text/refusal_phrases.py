"""How systems decline, by language: phrases of our own, as regular expressions.

Three lists a language. `refuses`: the speaker does not know, cannot answer, or the sources do not say.
`pads`: what surrounds a refusal and states nothing (apologies, referrals, offers, questions back, what
the sources are about instead). `turns`: where a sentence turns from refusing to telling.
Every repetition is bounded; they run over one sentence at a time.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """The patterns of one language, alternatives of one regular expression each."""

    refuses: tuple[str, ...]
    pads: tuple[str, ...]
    turns: tuple[str, ...]


MARKERS = (
    "not in corpus",
    "not in context",
    "not in the corpus",
    "not found",
    "no answer",
    "no answer found",
    "no relevant context",
    "unanswerable",
    "cannot answer",
    "insufficient context",
    "insufficient information",
    "not enough information",
    "no information",
    "idk",
    "i don't know",
    "n/a",
    "none",
    "unknown",
    "abstain",
    "abstained",
)
"""What a system is told to write instead of an answer; `_`, `-` and spaces are alike."""

# English
_SOURCE = (
    r"(?:documents?|documentation|docs|contexts?|passages?|texts?|sources?|excerpts?|materials?|articles?"
    r"|contents?|information|knowledge base|(?:search )?results?|data|snippets?|pages?|references?|corpus"
    r"|chunks?|resources|files)"
)
_THE_SOURCE = (
    r"(?:the|these|those|this|any of the|none of the|my|neither of the|that)(?: [\w'-]{2,20}){0,3}? "
    + _SOURCE
    + r"(?: (?:(?:that )?(?:you(?:'ve| have)?|i(?:'ve| have)?|were|was|are|is) [\w ]{3,30}?|provided|given|above|available|here|retrieved|about [\w' -]{2,60}?|on [\w' -]{2,60}?))?"
)
_NOT = r"(?:do not|does not|don't|doesn't|did not|didn't|cannot|can't|fails? to|lacks?)"
_HOW = r"(?: (?:also|explicitly|specifically|directly|actually|seem to|appear to|currently|clearly|really|even|necessarily|fully|exactly))*"
_SAY = (
    r"(?:contain|provide|mention|include|specif|state|say|cover|address|discuss|give|offer|indicate|describe"
    r"|explain|have|list|detail|answer|define|clarify|confirm|identify|outline|refer|talk|tell|elaborate|touch|present|disclose|reveal|directly)"
)
_KNOWN = r"(?:mentioned|specified|stated|provided|given|covered|addressed|discussed|included|described|explained|available|found|listed|contained|defined|detailed|present|answered|indicated|clear|outlined)"
_ENGLISH = Phrases(
    refuses=(
        r"\bi (?:really |honestly |currently |simply |just )?(?:do not|don't) (?:actually |really |currently )?(?:know|have (?:any |an? |the |enough |sufficient |that |this |access to |specific |such |relevant |further |more |complete |detailed |direct |clear |definitive ){0,4}(?:information|answer|details?|data|knowledge|context|access|documents?|content|sources?|idea))",
        r"\b(?:i'm|i am) (?:currently |really |afraid i'm )?(?:not able|unable) to (?:answer|find|provide|determine|locate|give|help|assist|say|tell|confirm|respond|identify|offer|verify|address)",
        r"\bi (?:really |currently |simply |also )?(?:cannot|can not|can't|could not|couldn't|am not able to|was unable to|wasn't able to|did not|didn't|won't be able to) (?:\w+ly )?(?:answer|find|provide|determine|locate|give you|help|assist|say|tell|confirm|respond|identify|verify|address|see any|offer)",
        r"\bi (?:have|found|find|see|can find|could find) no (?:\w+ ){0,2}(?:information|answer|details?|data|knowledge|mention|documents?|reference|results?)",
        r"\bi(?:'m| am) (?:not (?:sure|certain|aware)|unsure|uncertain)\b",
        rf"\b{_THE_SOURCE}[, ]+(?:\w+ly |therefore |also |alone )?{_NOT}{_HOW} {_SAY}",
        rf"\b(?:none|neither) of the(?: [\w'-]{{2,20}}){{0,2}} {_SOURCE}(?: \w+){{0,2}} {_SAY}",
        r"\b(?:there(?:'s| is| are| was| were)|contains?|provides?|includes?|gives?|offers?|has|have|with) no (?:\w+ ){0,3}?(?:information|mention|details?|answer|guidance|discussion|explanation|documentation)\b(?! (?:fee|loss|sharing|security))",
        rf"\bno (?:\w+ ){{0,2}}(?:information|mention|details?|answer|data|evidence|reference|indication|guidance) (?:\w+ ){{0,8}}(?:in|within|from|by) {_THE_SOURCE}",
        r"\bno (?:\w+ ){0,2}(?:information|answer|details?|data|documents?|results?|context) (?:is|are|was|were|has been|have been|could be|can be)? ?(?:available|provided|given|found|included|mentioned)",
        rf"\b(?:not|n't|never)(?: \w+ly)? (?:be )?{_KNOWN}(?: \w+ly)?(?: anywhere)? (?:in|within|by|from|based on) (?:any of )?{_THE_SOURCE}",
        rf"\b(?:in|from|based on|given|using|with|within) {_THE_SOURCE},? (?:alone,? )?(?:it is|it's|this is|that is|i am|i'm|i) (?:not|un|can't|cannot)",
        r"\b(?:is not|isn't|was not|wasn't|not) (?:enough|sufficient|adequate) (?:\w+ ){0,2}(?:information|context|details?|data|evidence|detail)\b",
        r"\b(?:insufficient|inadequate) (?:information|context|details?|data)\b",
        r"\b(?:it is|it's|is) (?:not possible|impossible|unclear from)(?: for me)? to (?:\w+ly )?(?:answer|determine|say|provide|confirm|know|tell|give|identify|specify)",
        r"\b(?:isn't|is not|wasn't) (?:something|a question)(?: that)? (?:i|we) (?:can|could|am able to|are able to) (?:\w+ly )?(?:answer|help|assist|tell|confirm|provide)",
        r"\b(?:(?:this|that|the|your) question|it|this|that) (?:cannot|can't|can not|could not) be (?:\w+ly )?(?:answered|determined|confirmed|found|verified)",
        r"\b(?:beyond|outside|out of)(?: of)? (?:the |my )?(?:scope|knowledge)",
        r"\bdo(?:es)? not (?:appear|seem) to be (?:\w+ ){0,2}(?:mentioned|covered|documented|in the)",
        r"\b(?:we|we've) (?:do not|don't|couldn't|could not|cannot|can't) (?:have (?:any |enough )?information|find (?:any |an )?(?:information|answer)|answer (?:this|that|your))",
    ),
    pads=(
        r"^(?:please|sorry|unfortunately|apologies|i apologi[sz]e|i'm sorry|i am sorry|i regret|regrettably|thank|hello|hi\b|let me know|feel free|is there|would you|could you|can you|do you|did you|are you|what (?:specific|kind|exactly)|consider|contact|check|visit|refer|consult|see the|try)",
        r"^(?:\w+, ){0,2}(?:i|we) (?:would |'d |can |could |might |may |will |'ll |'m |am |do )?(?:strongly |only |also |happy to |be happy to |be glad to |need (?:more|additional|further) |have access )?(?:recommend|suggest|advise|encourage|help|assist|answer questions|need|rely|provide (?:information|help)|know)\b",
        r"\b(?:you|one) (?:may|might|can|could|should|would|will|'ll|need)(?: also| always| directly)?(?: need to| want to| wish to| like to| have to| try to| try| be able to| to)? ?(?:contact|consult|check|refer|reach|visit|find|look|ask|verify|search|consider|see|seek|provide|review|explore|get|call)",
        r"^(?:for|to|if|in order to)\b.{0,200}?(?:refer|consult|contact|check|visit|recommend|suggest|advis|reach out|let me know|please|feel free|ask|look|need|seek|best|you (?:may|might|can|could|should|would))",
        r"\b(?:it is|it's|it would be|would be)(?: \w+)? (?:best|advisable|recommended|necessary|helpful|better)\b",
        rf"\b(?:{_THE_SOURCE}|they|it|which|what i have)(?: \w+ly| only| do| does| instead)* (?:discuss|cover|mention|focus|describe|talk|deal|relate|pertain|contain|address|provide (?:information|details|general)|concern|refer|(?:is|are) (?:\w+ly )?(?:about|focused|related|limited))",
        r"\?\W*$",
    ),
    turns=(r"\bbut\b", r"\bhowever\b", r"\balthough\b", r"\bthough\b", r"\bnevertheless\b", r"\bthat said\b", r"\byet\b", r"\bstill,"),
)  # fmt: skip

# The sources, in other languages: the noun with whatever stands before it.
_DE_SOURCE = r"(?:dokument\w*|unterlage\w*|kontext\w*|text\w*|quelle\w*|passage\w*|artikel\w*|information\w*|auszüge\w*|inhalt\w*|wissensdatenbank|suchergebniss\w*|materiali\w*|abschnitt\w*)"
_FR_SOURCE = r"(?:documents?|documentation|contextes?|textes?|sources?|passages?|extraits?|articles?|informations?|base de connaissances|résultats?|contenus?)"
_ES_SOURCE = r"(?:documentos?|documentación|contextos?|textos?|fuentes?|pasajes?|extractos?|fragmentos?|artículos?|información|base de conocimientos?|resultados?|contenidos?|material(?:es)?)"
_IT_SOURCE = r"(?:document[oi]|documentazione|contest[oi]|test[oi]|font[ei]|passagg[io]+|estratt[oi]|brani?|articol[oi]|informazioni|base di conoscenza|risultat[oi]|contenut[oi]|material[ei])"
_PT_SOURCE = r"(?:documentos?|documentação|contextos?|textos?|fontes?|passagens|trechos?|excertos?|artigos?|informaç(?:ão|ões)|base de conhecimento|resultados?|conteúdos?|materia(?:l|is))"
_NL_SOURCE = r"(?:document(?:en)?|documentatie|context|tekst(?:en)?|bron(?:nen)?|passages?|fragment(?:en)?|artikel(?:en)?|informatie|kennisbank|zoekresultaten|inhoud|materiaal)"
_PL_SOURCE = r"(?:dokument\w*|dokumentacj\w*|kontek[sś]\w*|tek[sś]\w*|źród\w*|fragment\w*|artykuł\w*|informacj\w*|baz\w* wiedzy|wynik\w*|treś\w*|materia\w*)"
_TR_SOURCE = r"(?:belge\w*|doküman\w*|bağlam\w*|metin\w*|metn\w*|kaynak\w*|bilgi\w*|içeri\w*|makale\w*|bölüm\w*)"
_RU_SOURCE = r"(?:документ\w*|контекст\w*|текст\w*|источник\w*|фрагмент\w*|материал\w*|стать\w*|отрыв\w*|баз\w* знаний|информаци\w*)"

PHRASES: dict[str, Phrases] = {
    "en": _ENGLISH,
    "de": Phrases(
        refuses=(
            r"\b(?:ich|wir) (?:weiß|wissen|weiss) (?:es |das |dazu |darüber |leider )*nicht",
            r"\b(?:weiß|weiss|wissen) (?:ich|wir) (?:es |das |dazu |darüber |leider |auch |selbst )*nicht\b",
            r"\b(?:kann|können|konnte|konnten) (?:ich|wir)?\b.{0,100}?\b(?:nicht|keine\w*)\b.{0,80}?(?:beantwort|finden|gefunden|sagen|ermitteln|feststell|bestätig|helfen|entnehm|auskunft|angeben|machen|geben)",
            r"\b(?:habe|haben|liegen|liegt|finde|finden|verfüge|gibt|gab|enthält|enthalten|stehen|fehlen)\b.{0,80}?\bkeine\w*\b.{0,50}?(?:information|angabe|antwort|hinweis|daten|details|auskunft|kenntnis|auskünfte)",
            r"\bkeine\w* (?:\w+ ){0,3}(?:information\w*|angabe\w*|antwort\w*|hinweis\w*)\b.{0,80}?(?:vorhanden|verfügbar|enthalten|gefunden|zu finden|vor\b|hervor)",
            rf"\b{_DE_SOURCE}\b.{{0,50}}?\b(?:enth\w+|nenn\w+|erwähn\w+|beantwort\w+|sag\w+|liefer\w+|beschreib\w+|behandel\w+|gib\w*|geh\w+|mach\w+|beinhalt\w+)\b.{{0,60}}?\b(?:nicht|keine?\w*|nichts)\b",
            rf"\b(?:nicht|kein\w*|nichts)\b.{{0,60}}?\b(?:in|aus|anhand)\b.{{0,40}}?\b{_DE_SOURCE}\b.{{0,30}}?(?:erwähnt|enthalten|genannt|angegeben|hervor|beschrieben|beantwort|zu finden|gefunden|steht|aufgeführt|finden)",
            rf"\b(?:geht|lässt sich|wird|ist|sind|werden|steht)\b.{{0,80}}?\b{_DE_SOURCE}\b.{{0,60}}?\b(?:nicht|nichts)\b.{{0,60}}?(?:erwähnt|enthalten|genannt|angegeben|hervor|beschrieben|beantwort|entnehmen|ableiten|aufgeführt|behandelt)",
            r"\bfrage (?:\w+ ){0,6}(?:nicht|un)(?: \w+){0,3} ?(?:beantwort)",
            r"\bdazu (?:habe|liegen|kann|finde)\b.{0,60}?\b(?:keine|nichts|nicht)\b",
        ),
        pads=(r"^(?:leider|bitte|entschuldigung|es tut mir leid|tut mir leid|ich empfehle|wenden sie|für weitere|falls|wenn sie|gerne|kann ich|möchten sie|könnten sie)", r"\b(?:wenden sie sich|kontaktieren sie|empfehle|konsultieren|prüfen sie|schauen sie)\b", r"\?\W*$"),
        turns=(r"\baber\b", r"\bjedoch\b", r"\ballerdings\b", r"\bobwohl\b", r"\bsondern\b", r"\bdennoch\b"),
    ),
    "fr": Phrases(
        refuses=(
            r"\bje ne (?:le )?sais pas\b|\bje l'ignore\b",
            r"\bje (?:ne |n')(?:suis pas en mesure|peux pas|peux|dispose|possède|trouve|ai|puis|parviens)\b.{0,80}?(?:répondre|information|réponse|trouv|déterminer|confirmer|précis|donnée|aider|fournir|dire|indiquer|pas\b.{0,40}?(?:élément|détail))",
            rf"\b{_FR_SOURCE}\b.{{0,50}}?\b(?:ne|n')\s?(?:\w+ ){{0,1}}?(?:contien\w*|mentionn\w*|précis\w*|fourni\w*|indiqu\w*|donn\w*|répond\w*|comport\w*|évoqu\w*|trait\w*|abord\w*|parl\w*|permet\w*|inclu\w*|di[ts]\w*)\b.{{0,20}}?\b(?:pas|aucun\w*|rien|ni)\b",
            r"\b(?:aucune?|pas d'|pas de|pas suffisamment d')\s?(?:\w+ ){0,2}?(?:information|réponse|mention|donnée|détail|renseignement|précision)s?\b.{0,80}?(?:disponible|trouvé|fourni|document|contexte|source|texte|passage|à ce sujet|sur ce|concernant|n'est|ne figure)",
            rf"\b(?:n'est|ne sont|n'apparaît|ne figure\w*|n'y a)\b.{{0,20}}?(?:pas|aucun\w*|nulle)\b.{{0,60}}?\b(?:dans|par)\b.{{0,30}}?{_FR_SOURCE}",
            r"\b(?:il (?:ne |n')(?:m')?est pas possible|impossible) de (?:répondre|déterminer|dire|savoir|confirmer|préciser)",
        ),
        pads=(r"^(?:désolé|je suis désolé|malheureusement|veuillez|je vous (?:recommande|suggère|invite|conseille)|pour plus|pour obtenir|si vous|n'hésitez|souhaitez|pourriez|je regrette|merci)", r"\b(?:veuillez|contacte[rz]|consulte[rz]|vous pouvez|recommande)\b", r"\?\W*$"),
        turns=(r"\bmais\b", r"\bcependant\b", r"\btoutefois\b", r"\bnéanmoins\b", r"\bbien que\b", r"\ben revanche\b", r"\bpar contre\b"),
    ),
    "es": Phrases(
        refuses=(
            r"\b(?:no lo sé|no sé la respuesta|lo desconozco|no sé\b(?! si))",
            r"\bno (?:puedo|pude|he podido|podemos|me es posible|soy capaz de|logro|estoy en condiciones de)\b.{0,40}?(?:responder|encontr|determinar|confirmar|proporcionar|ayudar|decir|dar|contestar|ofrecer|indicar)",
            r"\bno (?:tengo|dispongo|cuento|encuentro|encontré|poseo|hay|existe|se encontr\w+|he encontrado)\b.{0,50}?(?:información|respuesta|datos|detalles|mención|conocimiento|referencia)",
            rf"\b{_ES_SOURCE}\b.{{0,50}}?\bno (?:\w+ ){{0,1}}?(?:contien\w*|mencion\w*|proporcion\w*|especific\w*|inclu\w*|indic\w*|ofrec\w*|respond\w*|dic\w*|aborda\w*|trat\w*|detalla\w*|da\w?|habla\w*|describ\w*|explica\w*|aclara\w*)\b",
            rf"\bno (?:se |está |están |aparece|figura|es |viene )\w*.{{0,60}}?\b(?:en|por)\b.{{0,30}}?{_ES_SOURCE}",
            r"\b(?:no es posible|imposible|es imposible) (?:responder|determinar|saber|confirmar|decir|contestar)",
        ),
        pads=(r"^(?:lo siento|lamentablemente|lamento|desafortunadamente|por desgracia|disculp|por favor|le (?:recomiendo|sugiero)|te (?:recomiendo|sugiero)|recomiendo|para (?:más|obtener)|si (?:necesita|tiene|quiere|desea)|¿)", r"\b(?:consult[ea]|contact[ea]|póngase|recomiendo|sugiero|puede (?:consultar|contactar))\b", r"\?\W*$"),
        turns=(r"\bpero\b", r"\bsin embargo\b", r"\baunque\b", r"\bno obstante\b"),
    ),
    "it": Phrases(
        refuses=(
            r"\bnon (?:lo so|so rispondere|conosco la risposta|ne sono a conoscenza)",
            r"\bnon (?:posso|sono in grado di|riesco a|è possibile|mi è possibile|ho potuto|possiamo)\b.{0,40}?(?:rispond|trova|determin|conferm|forni|aiut|dire|dar|indic|stabil|individu)",
            r"\bnon (?:ho|dispongo|trovo|ho trovato|possiedo|c'è|ci sono|vi sono|esistono|sono disponibili|è disponibile|sono presenti)\b.{0,50}?(?:informazion|rispost|dat[io]|dettagl|menzion|riferiment)",
            rf"\b{_IT_SOURCE}\b.{{0,50}}?\bnon (?:\w+ ){{0,1}}?(?:conten\w*|menzion\w*|fornisc\w*|specific\w*|inclu\w*|indic\w*|offr\w*|rispond\w*|dic\w*|tratt\w*|affront\w*|riport\w*|precis\w*|parl\w*|descriv\w*|spieg\w*)\b",
            rf"\bnon (?:è|sono|viene|vengono|si trova\w*|compare|risulta\w*|figura\w*)\b.{{0,60}}?\b(?:in|nel|nei|nella|nelle|negli|nell'|dai|dal|dalle)\b.{{0,30}}?{_IT_SOURCE}",
            r"\bnessuna? (?:informazione|risposta|menzione|dato|dettaglio)\b.{0,80}?(?:disponibil|trovat|fornit|document|contest|font|test)",
        ),
        pads=(r"^(?:mi dispiace|purtroppo|spiacente|per favore|la prego|ti (?:consiglio|suggerisco)|le (?:consiglio|suggerisco)|consiglio|suggerisco|per (?:ulteriori|maggiori)|se (?:ha|hai|vuoi|desidera)|scusa|puoi|può)", r"\b(?:consult\w+|contatt\w+|rivolg\w+|consiglio|suggerisco)\b", r"\?\W*$"),
        turns=(r"\bma\b", r"\btuttavia\b", r"\bperò\b", r"\bsebbene\b", r"\banche se\b", r"\bbensì\b"),
    ),
    "pt": Phrases(
        refuses=(
            r"\bnão (?:sei(?! se)|o sei|tenho conhecimento|conheço a resposta)",
            r"\bnão (?:posso|consigo|consegui|podemos|sou capaz de|é possível|foi possível|me é possível|estou em condições de)\b.{0,40}?(?:respond|encontr|determin|confirm|fornecer|ajud|dizer|dar|localiz|indic|oferec)",
            r"\bnão (?:tenho|disponho|encontrei|possuo|há|existe\w*|foram encontrad\w+|foi encontrad\w+|constam?|temos)\b.{0,50}?(?:informaç|resposta|dados|detalhes|menção|conhecimento|referência)",
            rf"\b{_PT_SOURCE}\b.{{0,50}}?\bnão (?:\w+ ){{0,1}}?(?:cont[êeé]\w*|mencion\w*|fornec\w*|especific\w*|inclu\w*|indic\w*|oferec\w*|respond\w*|diz\w*|abord\w*|trat\w*|traz\w*|detalha\w*|informa\w*|apresent\w*|descrev\w*|explica\w*)\b",
            rf"\bnão (?:é|são|está|estão|consta\w*|aparece\w*|foi|foram|se encontra\w*|figura\w*)\b.{{0,60}}?\b(?:em|no|na|nos|nas|pelos?|pelas?)\b.{{0,30}}?{_PT_SOURCE}",
            r"\bnenhuma? (?:informação|resposta|menção|dado|detalhe)\b.{0,80}?(?:disponív|encontrad|fornecid|document|context|font|text)",
        ),
        pads=(r"^(?:desculp|lamento|infelizmente|sinto muito|por favor|recomendo|sugiro|para (?:mais|obter)|se (?:você|precisar|quiser|desejar)|gostaria|você pode)", r"\b(?:consult[ea]\w*|contat[ea]\w*|contact[ea]\w*|recomendo|sugiro|entre em contato)\b", r"\?\W*$"),
        turns=(r"\bmas\b", r"\bporém\b", r"\bno entanto\b", r"\bcontudo\b", r"\bembora\b", r"\bentretanto\b", r"\btodavia\b"),
    ),
    "nl": Phrases(
        refuses=(
            r"\b(?:ik|dat|wij|we) (?:weet|weten) (?:ik |het |dat |dit |helaas )*niet",
            r"\b(?:weet|weten) (?:ik|wij|we) (?:het |dat |dit |helaas |ook )*niet\b",
            r"\b(?:kan|kon|kunnen|konden)\b.{0,80}?\b(?:niet|geen)\b.{0,60}?(?:beantwoord|vinden|zeggen|bepalen|bevestig|helpen|geven|antwoord)",
            r"\b(?:heb|hebben|vind|vinden|vond|is er|zijn er|er is|er zijn|beschik|bevat\w*|staat|staan)\b.{0,50}?\bgeen\b.{0,40}?(?:informatie|antwoord|gegevens|details|vermelding|toegang)",
            rf"\b{_NL_SOURCE}\b.{{0,50}}?\b(?:bevat\w*|vermeld\w*|noem\w*|geef\w*|geven|zeg\w*|beantwoord\w*|bied\w*|specificeer\w*|gaan|gaat|beschrijv\w*)\b.{{0,40}}?\b(?:niet|geen|niets)\b",
            rf"\b(?:niet|geen|niets)\b.{{0,60}}?\b(?:in|uit|door|op basis van)\b.{{0,30}}?{_NL_SOURCE}",
            rf"\b(?:wordt|worden|is|staat|blijkt)\b.{{0,30}}?\b(?:in|uit|door)\b.{{0,30}}?{_NL_SOURCE}\b.{{0,20}}?\b(?:niet|geen)\b",
        ),
        pads=(r"^(?:helaas|sorry|het spijt me|excuses|neem contact|raadpleeg|ik raad|voor meer|als u|als je|wilt u|wil je|kunt u|kun je)", r"\b(?:neem contact|raadpleeg|raad u|raad je|kunt u|kun je)\b", r"\?\W*$"),
        turns=(r"\bmaar\b", r"\bechter\b", r"\bhoewel\b", r"\btoch\b", r"\bwel\b"),
    ),
    "pl": Phrases(
        refuses=(
            r"\bnie (?:wiem|znam odpowiedzi|wiemy)\b",
            r"\bnie (?:mogę|jestem w stanie|potrafię|udało mi się|możemy|można|da się)\b.{0,50}?(?:odpowied|znale|określi|potwierdzi|udzieli|pomóc|powiedzie|poda|ustali|stwierdzi)",
            r"\b(?:nie (?:mam|posiadam|znalazł\w*|znajduj\w*|ma|znaleziono|dysponuj\w*)|brak|brakuje)\b.{0,60}?(?:informacj|odpowiedzi|danych|szczegół|wzmian)",
            rf"\b{_PL_SOURCE}\b.{{0,50}}?\bnie (?:\w+ ){{0,1}}?(?:zawiera\w*|wspomina\w*|podaj\w*|określa\w*|precyzuj\w*|dostarcza\w*|odpowiada\w*|mówi\w*|opisuj\w*|wskazuj\w*|porusza\w*|obejmuj\w*)\b",
            rf"\bnie (?:jest|są|został\w*|zostało|pojawia się|wynika|ma)\b.{{0,60}}?\b(?:w|we|z)\b.{{0,30}}?{_PL_SOURCE}",
        ),
        pads=(r"^(?:przepraszam|niestety|przykro mi|proszę|sugeruję|polecam|zalecam|aby uzyskać|jeśli|czy\b|w celu)", r"\b(?:skontaktuj|skonsultuj|sprawdź|sprawdzić|zalecam|polecam|proszę)\b", r"\?\W*$"),
        turns=(r"\bale\b", r"\bjednak\b", r"\bchociaż\b", r"\bnatomiast\b", r"\blecz\b"),
    ),
    "tr": Phrases(
        refuses=(
            r"\b(?:bilmiyorum|bilmiyoruz|bilgim yok|bilgiye sahip değil\w*|emin değilim)\b",
            r"\b(?:cevap|yanıt|bilgi)\w*\b.{0,40}?\b(?:veremiyorum|veremem|bulamadım|bulamıyorum|bulunamadı|bulunmuyor|bulunmamakta\w*|yok\w*|mevcut değil\w*|edinemedim|yer almıyor|yer almamakta\w*|içermiyor\w*|içermemekte\w*|vermiyor\w*|sunmuyor\w*)",
            r"\b(?:yanıtlayamıyorum|yanıtlayamam|cevaplayamıyorum|cevaplayamam|yardımcı olamıyorum|yardımcı olamam|söyleyemem|söyleyemiyorum)\b",
            rf"\b{_TR_SOURCE}\b.{{0,80}}?\b(?:belirtilmemiş\w*|belirtilmiyor\w*|bahsedilmiyor\w*|bahsedilmemiş\w*|içermiyor\w*|içermemekte\w*|yer almıyor\w*|yer almamakta\w*|geçmiyor\w*|bahsetmiyor\w*|belirtmiyor\w*|açıklamıyor\w*)",
        ),
        pads=(r"^(?:üzgünüm|maalesef|ne yazık ki|özür|lütfen|daha fazla|eğer)", r"\b(?:lütfen|başvurun|iletişime geç\w*|danışın|öneririm|kontrol edin)\b", r"\?\W*$"),
        turns=(r"\bama\b", r"\bancak\b", r"\bfakat\b", r"\byine de\b", r"\brağmen\b"),
    ),
    "ru": Phrases(
        refuses=(
            r"\b(?:я )?(?:этого )?не знаю\b|\bмне (?:это )?(?:не известно|неизвестно)\b",
            r"\bне (?:могу|можем|удалось|удаётся|удается|в состоянии|смог\w*)\b.{0,60}?(?:ответ|найти|определ|подтверд|предостав|помочь|сказать|дать|указать)",
            r"\b(?:нет|не имею|не нашёл|не нашел|не нашла|не найден\w*|не располагаю|отсутству\w*|не содерж\w+|не обнаружен\w*)\b.{0,60}?(?:информаци|ответ|данны|сведени|упоминани)",
            r"\b(?:информаци|сведени|данн|ответ)\w*\b.{0,80}?\b(?:отсутству\w*|не найден\w*|не обнаружен\w*|нет\b|не содерж\w+|не указан\w*|не приведен\w*|недостаточно)",
            rf"\b{_RU_SOURCE}\b.{{0,60}}?\bне (?:\w+ ){{0,1}}?(?:содерж\w*|упомина\w*|указ\w*|предоставля\w*|сообща\w*|говор\w*|привод\w*|описыва\w*|отвеча\w*|уточня\w*|привед\w*|назва\w*)",
            rf"\bне (?:указан\w*|упоминает\w*|упомянут\w*|описан\w*|приведен\w*|содержится|говорится)\b.{{0,50}}?\bв\b.{{0,30}}?{_RU_SOURCE}",
            r"\bневозможно (?:\w+ ){0,2}(?:ответить|определить|сказать|установить|подтвердить)",
        ),
        pads=(r"^(?:извините|простите|к сожалению|пожалуйста|рекомендую|советую|если|для получения|сожалею|обратитесь|хотите|могу ли)", r"\b(?:обратитесь|свяжитесь|рекомендую|советую|проверьте|уточните)\b", r"\?\W*$"),
        turns=(r"\bно\b", r"\bоднако\b", r"\bхотя\b", r"\bтем не менее\b", r"\bзато\b"),
    ),
    "ar": Phrases(
        refuses=(
            r"لا (?:أعرف|أعلم|أدري|نعرف)",
            r"(?:لا (?:أستطيع|يمكنني|يمكن|أملك|توجد|يوجد|تتوفر|يتوفر|أجد)|ليس(?:ت)? (?:لدي|لدى|هناك)|لم (?:أجد|أتمكن|أعثر|يتم العثور)|لست قادر\w*).{0,60}?(?:معلومات|إجابة|الإجابة|بيانات|تفاصيل|مساعد|تحديد|العثور|ذكر|تأكيد|معرفة)",
            r"(?:المستندات|الوثائق|المستند|الوثيقة|السياق|النص|النصوص|المصادر|المقاطع|المعلومات).{0,60}?(?:لا|لم|ليس(?:ت)?) ?.{0,6}?(?:تحتوي|يحتوي|تذكر|يذكر|تتضمن|يتضمن|توفر|يوفر|تحدد|يحدد|تشير|يشير|تقدم|يقدم|تجيب|يجيب|كافية)",
            r"(?:غير|لم|لا) (?:مذكور\w*|يُ?ذكر|تُ?ذكر|متوفر\w*|موجود\w*|وارد\w*|متاح\w*|يرد|ترد).{0,60}?(?:المستندات|الوثائق|السياق|النص|المصادر|المقاطع|المعلومات)",
        ),
        pads=(r"^(?:عذر|آسف|للأسف|أعتذر|معذرة|يرجى|من فضلك|إذا|للمزيد|لمزيد|أنصح|هل)", r"(?:يرجى|الرجوع|التواصل مع|أنصح|أوصي|مراجعة)", r"[?؟]\W*$"),
        turns=(r"لكن", r"ولكن", r"إلا أن", r"ومع ذلك", r"غير أن"),
    ),
    "hi": Phrases(
        refuses=(
            r"(?:मुझे|हमें).{0,30}?(?:नहीं पता|पता नहीं|मालूम नहीं|नहीं मालूम|जानकारी नहीं|ज्ञात नहीं)",
            r"मैं.{0,20}?नहीं जानत[ाी]",
            r"(?:जानकारी|उत्तर|जवाब|विवरण|उल्लेख|सूचना).{0,40}?(?:नहीं (?:है|हैं|मिल\S*|दी|दिया|दे|पाया|पाई|उपलब्ध)|उपलब्ध नहीं|मौजूद नहीं|शामिल नहीं)",
            r"(?:उत्तर|जवाब).{0,20}?(?:नहीं दे (?:सकत|पा)|देने में असमर्थ)",
            r"(?:दस्तावेज़\S*|दस्तावेज\S*|संदर्भ|पाठ|स्रोत\S*|सामग्री).{0,60}?(?:नहीं (?:है|हैं|बताया|दिया|किया|मिलत)|उल्लेख नहीं)",
        ),
        pads=(r"^(?:क्षमा|माफ़|माफ|खेद|कृपया|यदि|अगर|अधिक)", r"(?:कृपया|संपर्क कर|देखें)", r"\?\W*$"),
        turns=(r"लेकिन", r"परंतु", r"परन्तु", r"किंतु", r"हालांकि", r"हालाँकि", r"मगर"),
    ),
    "zh": Phrases(
        refuses=(
            r"(?:我|我们)(?:也|并|真的|确实)?(?:不知道|不清楚|不确定|不了解|無法得知|无法得知|不曉得)",
            r"(?:无法|無法|不能|没法|沒法|未能|没有办法)[^，。]{0,16}?(?:回答|找到|确定|確定|提供|判断|判斷|得知|确认|確認|给出|給出|回复|作答|帮助|协助)",
            r"(?:没有|沒有|未|无|無|缺乏|缺少)(?:找到|提供|包含|提及|提到|说明|說明|涉及|给出|給出|具体|具體|足够|足夠|相关|相關|任何|关于|關於|有关|有關|明确|明確|指定|记载|記載|介绍|讨论|足够的|回答|列出|查到){1,4}[^。]{0,30}?(?:信息|資訊|资讯|内容|內容|答案|资料|資料|数据|說明|说明|细节|细則|记录)",
            r"(?:文档|文檔|文件|资料|資料|上下文|文本|段落|来源|來源|参考|參考|知识库|知識庫|内容|內容|文章|检索结果|信息|材料)[^。]{0,20}?(?:没有|沒有|并未|並未|未|不|并没有|無|无法)(?:\S{0,4})(?:提到|提及|包含|说明|說明|涉及|提供|给出|給出|指出|回答|明确|明確|介绍|讨论|列出|包括|记载|显示|解释|足够|够|足以)",
            r"(?:暂无|暫無|查无|查無|无相关|無相關)[^。]{0,12}?(?:信息|資訊|答案|资料|資料|内容|內容|数据|记录|结果)",
        ),
        pads=(r"^(?:抱歉|对不起|對不起|很抱歉|非常抱歉|遗憾|很遗憾|不好意思|请|請|建议|建議|如果|如需|若)", r"(?:建议您|建議您|请参考|請參考|请联系|請聯繫|请咨询|请提供|请查阅|咨询)", r"[?？]\W*$"),
        turns=(r"但是", r"但", r"然而", r"不过", r"不過", r"虽然", r"雖然", r"只是"),
    ),
    "ja": Phrases(
        refuses=(
            r"(?:わかりません|分かりません|存じません|知りません|わかりかねます|分かりかねます|不明です|判断できません|お答えできません|答えられません|回答できません|回答することはできません|答えることができません|お答えしかねます|お手伝いできません|特定できません|確認できません(?:でした)?)",
            r"(?:情報|記載|記述|回答|答え|データ|言及|説明|内容)[はがもを]{0,2}[^。]{0,16}?(?:ありません|見つかりません|見つけられません|含まれていません|ございません|持っていません|存在しません|不足してい|提供されていません|記載されていません|見当たりません|得られません|なく|なかった|ない(?:ため|です))",
            r"(?:文書|ドキュメント|資料|コンテキスト|文脈|テキスト|情報源|文章|記事|検索結果|ナレッジベース)[^。]{0,40}?(?:含まれていません|記載されていません|記載がありません|書かれていません|述べられていません|言及されていません|触れられていません|触れていません|示されていません|説明されていません|明記されていません|言及していません)",
        ),
        pads=(r"^(?:申し訳|すみません|恐れ入り|恐縮|残念ながら|ご了承|詳しくは|詳細は|もし)", r"(?:お問い合わせ|ご確認ください|ご参照ください|ご連絡|お勧めし|おすすめし|ください)", r"(?:か。|？|\?)\W*$"),
        turns=(r"しかし", r"ただし", r"ですが", r"ますが", r"んが、", r"一方", r"とはいえ", r"けれど"),
    ),
    "ko": Phrases(
        refuses=(
            r"(?:모르겠습니다|모릅니다|모르겠어요|알 수 없습니다|알 수 없어요|알지 못합니다|확인할 수 없습니다|답변할 수 없습니다|답변드릴 수 없습니다|답할 수 없습니다|대답할 수 없습니다|답변이 어렵습니다|답변드리기 어렵습니다|도와드릴 수 없습니다|확실하지 않습니다)",
            r"(?:정보|내용|답변|답|언급|자료|데이터|설명)(?:가|이|는|은|를|을|도)? ?[^.。]{0,16}?(?:없습니다|없어요|없으며|없어서?|없기|찾을 수 없|찾지 못|제공되지 않|포함되어 있지 않|포함되지 않|나와 있지 않|부족|제공할 수 없|제공하지 않)",
            r"(?:문서|자료|맥락|문맥|컨텍스트|텍스트|출처|본문|글|지식 베이스|검색 결과)[^.。]{0,40}?(?:나와 있지 않|언급되어 있지 않|언급되지 않|언급하지 않|포함되어 있지 않|포함하고 있지 않|포함하지 않|명시되어 있지 않|명시되지 않|설명되어 있지 않|다루지 않|찾을 수 없)",
        ),
        pads=(r"^(?:죄송|미안|유감|안타깝|양해|자세한|더 자세한|만약|추가)", r"(?:문의|참고하|확인하시|확인해 주|알려 ?주|바랍니다|권장|추천)", r"\?\W*$"),
        turns=(r"하지만", r"그러나", r"다만", r"지만", r"그렇지만"),
    ),
    "th": Phrases(
        refuses=(
            r"ไม่(?:ทราบ|รู้|แน่ใจ)",
            r"ไม่(?:สามารถ|อาจ).{0,30}?(?:ตอบ|หา|ให้ข้อมูล|ระบุ|ยืนยัน|ช่วย|บอก)",
            r"(?:ไม่มี|ไม่พบ|ไม่ปรากฏ|ขาด).{0,20}?(?:ข้อมูล|คำตอบ|รายละเอียด|การกล่าวถึง|เนื้อหา)",
            r"(?:เอกสาร|บริบท|ข้อความ|แหล่งข้อมูล|ข้อมูล|บทความ|เนื้อหา).{0,40}?ไม่ได้?.{0,6}?(?:ระบุ|กล่าวถึง|มี|ให้|บอก|อธิบาย|ครอบคลุม|พูดถึง|เพียงพอ)",
        ),
        pads=(r"^(?:ขออภัย|ขอโทษ|เสียใจ|น่าเสียดาย|โปรด|กรุณา|หาก|แนะนำ)", r"(?:โปรด|กรุณา|ติดต่อ|แนะนำให้)", r"(?:ไหม|หรือไม่|\?)\W*$"),
        turns=(r"แต่", r"อย่างไรก็ตาม", r"แม้ว่า"),
    ),
}  # fmt: skip
