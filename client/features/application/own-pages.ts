import type { Page, SectionId } from '../../api/page.gen';
import { t } from '../../api/texts';
import {
  checkHref,
  listHref,
  neighbour,
  openSections,
  sectionHref,
  sections,
  type Section,
} from './sections';

type ApplicationPage = Extract<Page, { route: 'application' }>;

/**
 * Builds the page of another section from the open one: all answers are here, so nothing has to be fetched, and nothing
 * is lost when the network fails. The list of sections shows what is missing, which the server knows better, so it is
 * built here only while the server is unreachable (`isAway`).
 */
export function ownPage(page: ApplicationPage, url: URL, isAway: boolean): ApplicationPage | undefined {
  const { props } = page;
  const list = listHref(props.info);
  const section = sectionAt(url.pathname, list, openSections(props.changes));
  if (section === undefined || (section === null && !isAway)) return undefined;
  const title = [t('Application'), props.info.degree, page.shared.institute];
  const name = sections.find(({ id }) => id === section)?.title;
  return {
    ...page,
    status: 200,
    head: { ...page.head, title: (name === undefined ? title : [name, ...title]).join(' – ') },
    shared: { ...page.shared, path: url.pathname + url.search },
    props: {
      ...props,
      section,
      fromCheck: url.searchParams.get('from') === 'check',
      missing: [],
      form: null,
      conflict: null,
    },
  };
}

/** Returns null for the list, undefined for any other page. */
function sectionAt(path: string, list: string, open: Section[]): SectionId | null | undefined {
  if (path === list) return null;
  return open.find(({ id }) => path === `${list}/${id}`)?.id;
}

/** Returns the page that follows a section. */
export function hrefAfter(
  { info, fromCheck, changes }: Pick<ApplicationPage['props'], 'info' | 'fromCheck' | 'changes'>,
  section: SectionId,
): string {
  const next = fromCheck ? undefined : neighbour(openSections(changes), section, 1);
  return next ? sectionHref(info, next.id) : checkHref(info);
}
