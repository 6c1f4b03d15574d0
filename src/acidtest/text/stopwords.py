"""Stop words: the function words of some languages, short lists of our own.

They serve two ends: `content_words` leaves them out, and `guess` tells languages apart by them.
"""

STOPWORDS: dict[str, frozenset[str]] = {
    language: frozenset(listed.split())
    for language, listed in {
        "en": """a an the and or but if then than that this these those there here of to in on at by for
            from with without into onto over under about as is are was were be been being am do does did
            done have has had having will would shall should can could may might must it its itself he
            him his she her hers they them their theirs we us our ours you your yours i me my mine who
            whom whose which what when where why how all any both each few more most other some such only
            own same so too very just also up down out off again further once because until while during
            before after above below between through against""",
        "de": """der die das den dem des ein eine einen einem einer eines und oder aber wenn dann als dass
            daß dies diese dieser dieses diesem diesen jene hier da von zu zum zur in im ins an am auf bei
            beim für mit ohne über unter um aus nach vor durch gegen wie ist sind war waren sein bin bist
            wird werden wurde wurden worden hat haben hatte hatten kann können konnte soll sollte muss
            müssen darf dürfen mag möchte es er sie ihn ihm ihr ihre ihren ihrem ihrer wir uns unser du
            dein ich mich mir mein man wer was wann wo warum welche welcher welches auch nur noch schon so
            sehr sich bis während weil""",
        "fr": """le la les l un une des du de d et ou mais si que qu qui quoi dont où ce cet cette ces ça
            cela ici là à au aux en dans sur sous par pour avec sans entre vers chez comme est sont était
            étaient être été a ont avait avaient avoir eu sera seront peut peuvent doit doivent il elle on
            ils elles lui leur leurs nous vous notre nos votre vos je j me m moi te t tu mon ma mes son sa
            ses se s y plus très aussi tout tous toute toutes quand lorsque pendant""",
        "es": """el la los las lo un una unos unas de del al a y e o u pero si que quien cual cuales cuyo
            donde cuando como este esta esto estos estas ese esa eso esos esas aquel en con sin por para
            sobre entre hasta desde es son era eran ser sido está están estaba fue fueron ha han había
            haber hay puede pueden debe deben él ella ellos ellas le les se me mi mis te tu tus su sus
            nos nuestro nuestra usted ustedes yo más muy también ya todo todos toda todas""",
        "it": """il lo la i gli le l un uno una di del dello della dei degli delle d a al allo alla ai agli
            alle da dal dalla dai in nel nello nella nei nelle su sul sulla sui con senza per tra fra e ed o
            ma se che chi cui dove quando come questo questa questi queste quello quella è sono era erano
            essere stato stata ha hanno aveva avere può possono deve devono egli lui lei loro noi voi mi ti
            si ci vi ne mio mia tuo suo sua suoi nostro vostro io più molto anche già tutto tutti""",
        "pt": """o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela
            pelos pelas para com sem sobre entre até desde e ou mas se que quem qual quais cujo onde quando
            como este esta isto estes estas esse essa isso aquele é são era eram ser sido está estão estava
            foi foram tem têm tinha ter há pode podem deve devem ele ela eles elas lhe me meu minha te teu
            seu sua seus suas nós nosso você vocês eu mais muito também já todo todos toda todas""",
        "nl": """de het een en of maar als dan dat die dit deze hier daar er van te in op aan bij voor met
            zonder over onder om uit naar door tegen tot tussen is zijn was waren ben wordt worden werd
            werden geworden heeft hebben had hadden kan kunnen kon zal zullen zou moet moeten mag mogen
            het hij zij ze hem haar hun wij we ons onze jij je jouw u uw ik mij me mijn wie wat wanneer
            waar waarom welke hoe ook nog al zo zeer zich""",
        "pl": """i oraz lub albo ale jeśli jeżeli gdy że żeby który która które którego której których
            ten ta to te tego tej tych tym tu tam w we z ze na do od po za o u przy przez dla bez nad pod
            jest są był była było były być będzie będą może mogą musi ma mają on ona ono oni go mu jej
            jego ich im my wy nas was ja mnie mi się jak co kto kiedy gdzie czy też już tylko bardzo""",
        "sv": """och eller men om att som den det de en ett i på av för med till från vid är var vara varit
            blir har hade kan ska skulle måste han hon vi ni jag du sig sin sitt sina hur när där här även
            också""",
        "tr": """ve veya ya da ama eğer ki bu şu o bir için ile gibi kadar daha çok en de mi mı mu mü
            olarak olan olur oldu olduğu var her ne nasıl neden nerede kim hangi ben sen biz siz onlar""",
        "ru": """и или но а если то что чтобы который которая которое которые этот эта это эти тот та те в
            во на с со к ко от до по за из у о об при для без над под через между есть был была было были
            быть будет будут может могут должен он она оно они его её ее их им мы вы нас вас я мне меня
            ты как когда где кто почему так же уже только очень также ли бы""",
        "ar": """و أو في من إلى على عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم كان كانت يكون أن إن
            قد كما ما إذا عند بعد قبل بين كل""",
        "hi": """का की के को में से पर और या यह वह ये वे है हैं था थे थी हो कि जो तो ने एक इस उस भी ही
            लिए साथ तक कर""",
    }.items()
}
