import type { AdminDecisionProps, DecisionBasis } from '../api/page.gen';
import { Disclosure } from './disclosure';
import { DocumentState, ReferencesState } from './office-document-state';
import { ReadingsSummary } from './office-readings';
import { InterviewScores } from './office-sheet';
import { Tag } from './tag';

/** What a decision is based on, as far as the role may see it. */
export function Basis({ basis, conditions }: Pick<AdminDecisionProps, 'basis' | 'conditions'>) {
  const { documents, references, answers } = basis;
  return (
    <aside className="decision-basis stack-small" aria-labelledby="basis-heading">
      <h2 id="basis-heading">What it rests on</h2>
      {documents.length > 0 ? (
        <section aria-labelledby="basis-documents">
          <h3 id="basis-documents">Documents</h3>
          <ul className="basis-list">
            {documents.map((document) => (
              <li key={document.href}>
                <a href={document.href}>{document.label}</a>{' '}
                {document.isMissing ? (
                  <Tag shape="warning">{document.word}</Tag>
                ) : (
                  <DocumentState document={document} />
                )}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {references ? (
        <section aria-labelledby="basis-references">
          <h3 id="basis-references">
            <a href={references.href}>References</a>
          </h3>
          <p>
            <ReferencesState text={references.text} isMissing={references.missing > 0} />
          </p>
        </section>
      ) : null}
      {basis.readings ? (
        <section aria-labelledby="basis-readings">
          <h3 id="basis-readings">
            <a href={basis.readings.href}>Readings</a>
          </h3>
          <ReadingsSummary view={basis.readings} />
        </section>
      ) : null}
      <Interview basis={basis} />
      {conditions ? (
        <section aria-labelledby="basis-conditions">
          <h3 id="basis-conditions">Conditions</h3>
          <p>
            <a href={conditions.href}>{conditions.text}</a>
          </p>
        </section>
      ) : null}
      <Notes basis={basis} />
      {answers.length > 0 ? (
        <section aria-labelledby="basis-answers">
          <h3 id="basis-answers">Answers</h3>
          {answers.map((section) => (
            <Disclosure key={section.title} summary={section.title}>
              <dl className="facts-list">
                {section.answers.map((answer) => (
                  <div key={answer.name}>
                    <dt>{answer.name}</dt>
                    <dd className="dossier-answer">{answer.value}</dd>
                  </div>
                ))}
              </dl>
            </Disclosure>
          ))}
        </section>
      ) : null}
    </aside>
  );
}

function Interview({ basis: { interview, sheet: written } }: { basis: DecisionBasis }) {
  return (
    <section aria-labelledby="basis-interview">
      <h3 id="basis-interview">Interview</h3>
      {interview ? (
        <p>
          {interview.state}: {interview.whenText}, with {interview.interviewer}
        </p>
      ) : (
        <p>None is booked.</p>
      )}
      {written ? (
        <InterviewScores written={written} />
      ) : interview ? (
        <p>Nobody has filled in the score sheet.</p>
      ) : null}
    </section>
  );
}

function Notes({ basis: { notes, notesHref } }: { basis: DecisionBasis }) {
  if (!notesHref) return null;
  return (
    <section aria-labelledby="basis-notes">
      <h3 id="basis-notes">Notes</h3>
      {notes.length > 0 ? (
        <ul className="basis-list">
          {notes.map((note) => (
            <li key={note.id}>
              <span className="dossier-answer">{note.text}</span>
              <span className="office-sub">{note.writtenText}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <p>
        <a href={notesHref}>{notes.length > 0 ? 'All notes' : 'Write the first note'}</a>
      </p>
    </section>
  );
}
