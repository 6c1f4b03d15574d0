"""Refusals in sixteen languages, and answers that only sound like them."""

import pytest

from acidtest.text.refusal import declined

REFUSALS = [
    ("en", "I don't know."),
    ("en", "I don’t have an answer."),
    ("en", "I'm sorry, but I can't answer that question based on the provided context."),
    ("en", "The provided documents do not contain any information about parental leave."),
    ("en", "The handbook excerpts don't say. None of the passages mention a price."),
    ("en", "There is no mention of a student discount in the documents you provided."),
    ("en", "Unfortunately, I could not find anything about that. Please contact support for help."),
    ("en", "The context does not specify the exact date. It only discusses the launch in general."),
    ("en", "That is not covered in the given sources, so I am unable to determine the fee."),
    ("en", "It is not possible to determine from the text who signed it. Could you share more?"),
    ("en", "**I do not have enough information** to answer this question."),
    ("en", "No information is available on this topic in the knowledge base."),
    ("en", "Based on the provided context, I cannot say whether pets are allowed."),
    ("en", "Sorry, that isn't something I can answer from the documents provided."),
    ("de", "Das weiß ich leider nicht."),
    ("de", "Leider weiß ich es nicht."),
    ("de", "Die Dokumente enthalten keine Informationen zur Elternzeit."),
    ("de", "Ich kann diese Frage anhand des Kontexts leider nicht beantworten."),
    ("de", "Dazu liegen mir keine Informationen vor. Bitte wenden Sie sich an den Support."),
    ("de", "Der Preis wird in den bereitgestellten Unterlagen nicht erwähnt."),
    ("fr", "Je ne sais pas."),
    ("fr", "Les documents fournis ne contiennent pas d'informations sur ce sujet."),
    ("fr", "Je suis désolé, mais je ne peux pas répondre à cette question."),
    ("fr", "Aucune information n'est disponible à ce sujet."),
    ("fr", "Le prix n'est pas mentionné dans le contexte."),
    ("es", "No lo sé."),
    ("es", "Los documentos no contienen información sobre ese tema."),
    ("es", "Lo siento, pero no puedo responder a esa pregunta."),
    ("es", "No tengo suficiente información para contestar."),
    ("es", "El precio no se menciona en el contexto."),
    ("it", "Non lo so."),
    ("it", "I documenti forniti non contengono informazioni su questo argomento."),
    ("it", "Mi dispiace, ma non posso rispondere a questa domanda."),
    ("it", "Non ho informazioni sufficienti per rispondere."),
    ("pt", "Não sei."),
    ("pt", "Os documentos não contêm informações sobre o assunto."),
    ("pt", "Desculpe, mas não consigo responder a essa pergunta."),
    ("pt", "Não encontrei informações sobre o preço nos documentos."),
    ("nl", "Dat weet ik niet."),
    ("nl", "Helaas weet ik het niet."),
    ("nl", "De documenten bevatten geen informatie over dit onderwerp."),
    ("nl", "Helaas kan ik deze vraag niet beantwoorden."),
    ("nl", "Ik heb geen informatie over de prijs."),
    ("pl", "Nie wiem."),
    ("pl", "Dokumenty nie zawierają informacji na ten temat."),
    ("pl", "Niestety nie mogę odpowiedzieć na to pytanie."),
    ("pl", "Nie mam wystarczających informacji, aby odpowiedzieć."),
    ("tr", "Bilmiyorum."),
    ("tr", "Belgelerde bu konuda bilgi bulunmuyor."),
    ("tr", "Üzgünüm, bu soruyu yanıtlayamıyorum."),
    ("ru", "Я не знаю."),
    ("ru", "В документах нет информации об этом."),
    ("ru", "К сожалению, я не могу ответить на этот вопрос."),
    ("ru", "Предоставленные документы не содержат сведений о цене."),
    ("ar", "لا أعرف."),
    ("ar", "لا توجد معلومات كافية للإجابة عن هذا السؤال."),
    ("ar", "المستندات لا تحتوي على معلومات حول هذا الموضوع."),
    ("ar", "عذرًا، لا أستطيع الإجابة على هذا السؤال."),
    ("hi", "मुझे नहीं पता।"),
    ("hi", "दस्तावेज़ों में इस बारे में कोई जानकारी नहीं है।"),
    ("hi", "क्षमा करें, मैं इस प्रश्न का उत्तर नहीं दे सकता।"),
    ("zh", "我不知道。"),
    ("zh", "文档中没有提到退款期限。"),
    ("zh", "抱歉，根据提供的信息，我无法回答这个问题。"),
    ("zh", "很抱歉，文件中並未說明價格。"),
    ("ja", "わかりません。"),
    ("ja", "申し訳ありませんが、提供された文書にはその情報が含まれていません。"),
    ("ja", "その質問にはお答えできません。"),
    ("ja", "資料には価格についての記載がありません。"),
    ("ko", "모르겠습니다."),
    ("ko", "죄송합니다. 제공된 문서에는 해당 정보가 포함되어 있지 않습니다."),
    ("ko", "이 질문에 답변할 수 없습니다."),
    ("ko", "문서에서 환불 기간에 대한 정보를 찾을 수 없습니다."),
    ("th", "ไม่ทราบครับ"),
    ("th", "ขออภัย ไม่มีข้อมูลเกี่ยวกับเรื่องนี้ในเอกสาร"),
    ("th", "เอกสารไม่ได้ระบุราคา"),
    ("th", "ไม่สามารถตอบคำถามนี้ได้"),
]
ANSWERS = [
    "Refunds are not available after 30 days.",
    "The Basic plan does not include phone support.",
    "The policy does not cover water damage, and no refund is provided.",
    "You cannot find the setting in the app; it is on the web only.",
    "No information is shared with third parties.",
    "We do not provide refunds for digital goods.",
    "If the knowledge base does not contain the answer, the bot replies that it does not know.",
    'The bot says "I don\'t know" when its score is below 0.5 and passes the chat to a person.',
    "Employees who do not know their number should ask the desk.",
    "The lamp is not included in the box.",
    "There is no limit on the number of users.",
    "It is not possible to cancel after shipping.",
    "The data is not available in Europe until May.",
    "No.",
    "No, it is not covered.",
    "The parameter is unknown to versions before 2.0, which ignore it.",
    "If you do not have access to the documents, ask the owner for an invitation.",
    "Die Rückgabe ist nach 30 Tagen nicht mehr möglich.",
    "Der Tarif enthält keine Auslandsgespräche.",
    "Les remboursements ne sont pas disponibles après 30 jours.",
    "El plan no incluye soporte telefónico.",
    "Il rimborso non è disponibile dopo 30 giorni.",
    "O plano não inclui suporte por telefone.",
    "De garantie dekt geen waterschade.",
    "Zwrot nie jest możliwy po 30 dniach.",
    "30 günden sonra iade yapılamaz.",
    "Возврат невозможен после 30 дней.",
    "لا يمكن استرداد المبلغ بعد 30 يومًا.",
    "30 दिनों के बाद धनवापसी नहीं होती है।",
    "30天后不能退款。",
    "该套餐不包含电话支持。",
    "30日を過ぎると返金できません。",
    "基本プランには電話サポートは含まれていません。",
    "30일이 지나면 환불할 수 없습니다.",
    "ไม่สามารถคืนเงินได้หลังจาก 30 วัน",
]
PARTIAL = [
    "The documents do not specify the fee. However, standard delivery costs 5 euros in the EU.",
    "I don't have information on Spain, but returns from France take ten days.",
    "While the context does not mention a deadline, applications must arrive before June.",
    "Die Dokumente nennen keinen Preis, aber die Lieferung dauert drei Tage.",
    "Les documents ne précisent pas le prix, mais la livraison prend trois jours.",
    "文档中没有提到价格，但是配送需要三天时间。",
]


@pytest.mark.parametrize(("language", "text"), REFUSALS)
def test_a_refusal_declines(language: str, text: str) -> None:
    refusal = declined(text)
    assert refusal.declined, refusal
    assert not refusal.partial
    assert refusal.signal in {"phrase", "marker"}
    assert refusal.phrase


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_that_denies_something_is_no_refusal(text: str) -> None:
    refusal = declined(text)
    assert not refusal.declined, refusal
    assert not refusal.partial, refusal


@pytest.mark.parametrize("text", PARTIAL)
def test_a_refusal_that_goes_on_to_tell_is_partial(text: str) -> None:
    refusal = declined(text)
    assert refusal.partial, refusal
    assert not refusal.declined


@pytest.mark.parametrize(
    "text", ["NOT_IN_CORPUS", "NOT_FOUND.", "[not in corpus]", "N/A", "**NO_ANSWER**: no passage"]
)
def test_a_marker_declines(text: str) -> None:
    assert declined(text).signal == "marker"
    assert declined(text).declined


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_declines(text: str) -> None:
    assert declined(text).declined
    assert declined(text).signal == "empty"


def test_a_marker_inside_an_answer_is_no_marker() -> None:
    assert not declined("The field is set to NOT_FOUND when the row is gone.").declined
    assert not declined("None of the plans has a limit on users.").declined


def test_the_language_of_the_phrase_is_named() -> None:
    assert declined("Das weiß ich leider nicht.").language == "de"
    assert declined("我不知道。").language == "zh"
    assert declined("I don't know.").language in {"en", None}
