//! The built-in templates. They use the available fields and set out fair terms; anyone who publishes a template should
//! have it reviewed by a local lawyer.

use super::texts::TemplateText;
use crate::language::Language;
use crate::program::Program;

/// Returns the template of a program for which staff have not written one. The English text is binding.
pub fn starter(program: Program) -> TemplateText {
    let text = |language| {
        let [parties, studies, terms] = match (language, program) {
            (Language::En, Program::Bachelor) => [PARTIES, BACHELOR, TERMS],
            (Language::En, Program::Masters) => [PARTIES, MASTERS, TERMS],
            (Language::Es, Program::Bachelor) => [PARTES, LICENCIATURA, CONDICIONES],
            (Language::Es, Program::Masters) => [PARTES, MAESTRIA, CONDICIONES],
        };
        (language, format!("{parties}\n\n{studies}\n\n{terms}"))
    };
    TemplateText::new(Language::En, Language::ALL.map(text))
}

const PARTIES: &str = "\
# Who this contract is between

This contract is between **{institute}** (“we”) and **{applicantName}**, born on {dateOfBirth} (“you”). The reference \
number of your application is {reference}. We sent it to you on {date}; you can sign it until the end of {signBy}.";

const BACHELOR: &str = "\
# [program] The program

You enrol in our **{program}** in coaching, with the intake of {intake}. When you have met its requirements, we award you \
the degree of Bachelor of Arts.

These are the conditions of your place:

{conditions}";

const MASTERS: &str = "\
# [program] The program

You enrol in our **{program}** in coaching, with the intake of {intake}. When you have met its requirements, among them a \
thesis, we award you the degree of Master of Science.

These are the conditions of your place:

{conditions}";

const TERMS: &str = "\
# [start] Start and length

Your studies start on **{start}**. The program takes {length}. If you need longer, because of service, work or family, \
tell us, and we plan it with you.

# [cost] What it costs

The tuition of the whole program is **{totalCost}**. It includes all courses, supervision and examinations, and there are no \
other fees that you must pay to us. It does not rise while you study.

This is who pays it:

{funding}

# [schedule] When you pay

You pay {selfPay} yourself, in these instalments:

{schedule}

If somebody named above does not pay after all, tell us as soon as you know. We then agree with you in writing how the rest is \
paid, and this contract is replaced by another one.

# [cancellation] Your right to cancel

- You can cancel this contract within **14 days** after you have signed it, without giving a reason. You then get back \
everything that you have paid.
- To cancel, write to {contactEmail}. The day on which you write counts.
- After that you can end your studies at any time, in the same way. What you get back then stands below.

# [refunds] Refunds

- If you end your studies before {start}, you get back everything that you have paid.
- If you end them later, you pay for the part of the program until the day on which you tell us, in proportion to its \
length, and get back the rest.
- If military orders keep you from going on, we keep your place or give back what you paid for the current term, as you \
choose.
- We pay refunds within 30 days, to whoever has paid. What tuition assistance or the GI Bill has paid goes back to them as \
their rules say.

# What we owe each other

- We teach you as our program says, and change it only where that does not put you at a disadvantage.
- You study honestly, and treat clients, teachers and other students with respect. What clients tell you stays with you.
- If one of us does not keep to this contract, the other one says so in writing and gives 30 days to mend it, before ending \
the contract.

# Signing

- You can sign electronically on your dashboard, or on paper if you prefer that. Both count the same.
- Changes of this contract are made in writing, as a new contract that both of us sign.
- If a part of it does not hold, the rest holds nonetheless.";

const PARTES: &str = "\
# Entre quiénes se celebra este contrato

Este contrato se celebra entre **{institute}** («nosotros») y **{applicantName}**, con fecha de nacimiento {dateOfBirth} \
(«usted»). El número de referencia de su solicitud es {reference}. Se lo enviamos con fecha {date}; puede firmarlo hasta el \
final de este día: {signBy}.";

const LICENCIATURA: &str = "\
# [program] El programa

Usted se matricula en nuestro **{program}** en coaching, con inicio en {intake}. Cuando haya cumplido los requisitos, le \
otorgamos el título de Bachelor of Arts.

Estas son las condiciones de su plaza:

{conditions}";

const MAESTRIA: &str = "\
# [program] El programa

Usted se matricula en nuestro **{program}** en coaching, con inicio en {intake}. Cuando haya cumplido los requisitos, entre \
ellos una tesis, le otorgamos el título de Master of Science.

Estas son las condiciones de su plaza:

{conditions}";

const CONDICIONES: &str = "\
# [start] Inicio y duración

Sus estudios comienzan en esta fecha: **{start}**. La duración del programa es la siguiente: {length}. Si necesita más tiempo por \
el servicio, el trabajo o la familia, díganoslo y lo planificamos con usted.

# [cost] Cuánto cuesta

La matrícula de todo el programa es de **{totalCost}**. Incluye todos los cursos, la supervisión y los exámenes, y no hay otras \
tarifas que usted deba pagarnos. No aumenta mientras estudia.

Esto es lo que paga cada parte:

{funding}

# [schedule] Cuándo se paga

Usted paga {selfPay} por su cuenta, en estas cuotas:

{schedule}

Si alguna de las partes que figuran arriba al final no paga, díganoslo en cuanto lo sepa. Entonces acordamos por escrito con \
usted cómo se paga el resto, y otro contrato sustituye a este.

# [cancellation] Su derecho a cancelar

- Puede cancelar este contrato dentro de los **14 días** siguientes a la firma, sin dar ningún motivo. En ese caso se le devuelve \
todo lo que haya pagado.
- Para cancelar, escriba a {contactEmail}. Cuenta el día en que escribe.
- Después de ese plazo puede dejar sus estudios en cualquier momento, de la misma manera. Lo que se le devuelve entonces se \
indica más abajo.

# [refunds] Devoluciones

- Si deja sus estudios antes de esta fecha, {start}, se le devuelve todo lo que haya pagado.
- Si los deja después, paga la parte del programa hasta el día en que nos lo comunica, en proporción a su duración, y se le \
devuelve el resto.
- Si órdenes militares le impiden continuar, le guardamos la plaza o le devolvemos lo que pagó por el período en curso, según \
usted elija.
- Pagamos las devoluciones en un plazo de 30 días, a quien haya pagado. Lo que hayan pagado la ayuda para la matrícula o el GI \
Bill vuelve a ellos según sus normas.

# Lo que nos debemos mutuamente

- Le enseñamos según dice nuestro programa, y lo cambiamos solo cuando no le perjudica.
- Usted estudia con honestidad y trata con respeto a clientes, docentes y demás estudiantes. Lo que los clientes le cuentan no \
sale de usted.
- Si una de las partes no cumple este contrato, la otra se lo dice por escrito y le da 30 días para remediarlo antes de ponerle \
fin.

# La firma

- Puede firmar electrónicamente en su panel o, si lo prefiere, en papel. Las dos formas valen lo mismo.
- Los cambios de este contrato se hacen por escrito, con un contrato nuevo que firmamos las dos partes.
- Si alguna parte no es válida, el resto lo sigue siendo.";
