import { styled } from '@mui/material/styles';
import type { ApplicationProps, SectionId, SectionState, SectionStates } from '../../api/page.gen';
import { t } from '../../api/texts';
import { Icon } from '../../ui/icon';
import { Line, LineLink, Lines } from '../../ui/lines';
import { Tag } from '../../ui/tag';
import { listHref, sectionHref, titleOf, type Section } from './sections';

const SectionLine = styled(Line)({
  flexWrap: 'nowrap',
  gap: '0 1rem',
  padding: 0,
  '&:has([aria-current])': {
    paddingInlineStart: '0.875rem',
    boxShadow: 'inset 4px 0 0 var(--palette-accent)',
  },
  '@media (forced-colors: active)': {
    '&:has([aria-current])': { borderInlineStart: '4px solid Highlight' },
  },
});

/** What the list is behind where it has no side of its own. */
const Menu = styled('details')({ '&[open] > summary > svg': { rotate: '180deg' } });

const MenuSummary = styled('summary')({
  display: 'flex',
  alignItems: 'baseline',
  gap: '0 1rem',
  paddingBlock: '0.625rem',
  borderBlock: '1px solid var(--palette-divider)',
  color: 'var(--palette-heading)',
  font: '600 1rem/1.5 var(--sans)',
  listStyle: 'none',
  '&::-webkit-details-marker': { display: 'none' },
  '& > svg': { alignSelf: 'center' },
  '& > span:first-of-type': { marginInlineEnd: 'auto' },
});

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
  /** Those that can be changed. */
  sections: Section[];
  states: SectionStates;
  /** The section that is on the page. */
  current: SectionId;
}

/** The sections with their states, at the side of each. */
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

/** The same where there is no side: closed, above the questions. */
export function SectionMenu(props: SectionListProps) {
  const number = props.sections.findIndex(({ id }) => id === props.current) + 1;
  return (
    <Menu className="section-menu">
      <MenuSummary>
        <span>
          Section {number} of {props.sections.length}
          <span className="visually-hidden">: {titleOf(props.current)}</span>
        </span>
        <span className="section-count">{completeCount(props.sections, props.states)} complete</span>
        <Icon name="chevron" />
      </MenuSummary>
      <SectionLinks {...props} />
    </Menu>
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
