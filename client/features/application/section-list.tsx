import type { ApplicationProps, SectionId, SectionState, SectionStates } from '../../api/page.gen';
import { t } from '../../api/texts';
import { LineLink, Lines } from '../../theme/parts/lines';
import { SectionLine, SectionsMenu, SectionsSummary } from '../../theme/parts/sections';
import { Icon } from '../../ui/icon';
import { Tag } from '../../ui/tag';
import { listHref, sectionHref, titleOf, type Section } from './sections';

const stateTags = {
  'not-started': { shape: 'circle', word: t('Not started') },
  'in-progress': { shape: 'half', word: t('In progress') },
  complete: { shape: 'disc', word: t('Complete') },
} as const;

export function SectionTag({ state }: { state: SectionState }) {
  const { shape, word } = stateTags[state];
  return <Tag shape={shape}>{word}</Tag>;
}

export function completeCount(sections: Section[], states: SectionStates): number {
  return sections.filter((section) => states[section.id] === 'complete').length;
}

interface SectionListProps {
  info: ApplicationProps['info'];
  /** The sections that can be changed. */
  sections: Section[];
  states: SectionStates;
  /** The section currently on the page. */
  current: SectionId;
}

/** The sections and their states, beside each section's page. */
export function SectionNav(props: SectionListProps) {
  return (
    <nav className="section-nav" aria-labelledby="section-list-heading">
      <h2 id="section-list-heading">
        Sections{' '}
        <span className="section-count">
          {completeCount(props.sections, props.states)} of {props.sections.length} complete
        </span>
      </h2>
      <SectionLinks {...props} />
    </nav>
  );
}

/** The same if there is no room at the side: collapsed above the questions. */
export function SectionMenu(props: SectionListProps) {
  const number = props.sections.findIndex(({ id }) => id === props.current) + 1;
  return (
    <SectionsMenu className="section-menu">
      <SectionsSummary>
        <span>
          Section {number} of {props.sections.length}
          <span className="visually-hidden">: {titleOf(props.current)}</span>
        </span>
        <span className="section-count">{completeCount(props.sections, props.states)} complete</span>
        <Icon name="chevron" />
      </SectionsSummary>
      <SectionLinks {...props} />
    </SectionsMenu>
  );
}

function SectionLinks({ info, sections, states, current }: SectionListProps) {
  return (
    <Lines component="ol">
      {sections.map((section) => (
        <SectionLine key={section.id}>
          <LineLink
            href={sectionHref(info, section.id)}
            aria-current={section.id === current ? 'page' : undefined}
          >
            {section.title}
          </LineLink>
          <SectionTag state={states[section.id]} />
        </SectionLine>
      ))}
      <SectionLine>
        <LineLink href={listHref(info)}>All sections and what is missing</LineLink>
      </SectionLine>
    </Lines>
  );
}
