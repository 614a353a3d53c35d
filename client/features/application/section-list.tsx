import type { SectionState, SectionStates } from '../../api/page';
import { Tag } from '../../ui/tag';
import { sections } from './sections';

const stateTags = {
  'not-started': { shape: 'circle', word: 'Not started' },
  'in-progress': { shape: 'half', word: 'In progress' },
  complete: { shape: 'disc', word: 'Complete' },
} as const;

export function SectionTag({ state }: { state: SectionState }) {
  const { shape, word } = stateTags[state];
  return <Tag shape={shape}>{word}</Tag>;
}

/** The sections with their state, each a link to its place on the page. */
export function SectionList({ states }: { states: SectionStates }) {
  const complete = sections.filter((section) => states[section.id] === 'complete').length;
  return (
    <nav className="section-list" aria-labelledby="section-list-heading">
      <h2 id="section-list-heading">
        Sections{' '}
        <span>
          {complete} of {sections.length} complete
        </span>
      </h2>
      <ol>
        {sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`}>{section.title}</a>
            <SectionTag state={states[section.id]} />
          </li>
        ))}
      </ol>
    </nav>
  );
}
