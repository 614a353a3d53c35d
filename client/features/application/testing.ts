import type { StoredApplication } from '../../api/application';
import type { ApplicationCopy, ApplicationProps } from '../../api/page.gen';

/** Returns an application in which nothing has been answered yet, for tests. */
export function blankData(): StoredApplication['data'] {
  return {
    personalInfo: { isUSCitizen: true, isMilitaryAffiliated: false, isDoDEmployee: false, state: null },
    education: { hasBachelors: true, country: 'US', hasMasters: false, mastersCountry: 'US' },
    employment: {
      isSeeingCoachingClients: false,
      isCurrentlyEmployed: true,
      currentEmployer: { name: '', jobTitle: '', hoursPerWeek: 0, yearsInRole: '<1' },
      hasPreviousEmployment: false,
      previousEmployers: [],
    },
    financialPlan: {
      selectedPayments: [],
      selfPayContribution: { upFrontContribution: 0, monthlyPaymentContribution: 0 },
    },
    creditTransfer: { selectedPrograms: [] },
    questionnaire: { version: 0, answers: {} },
  };
}

export function storedApplication(
  revision: number,
  change: (data: StoredApplication['data']) => void = () => {},
) {
  const data = blankData();
  change(data);
  const stored: StoredApplication & Pick<ApplicationCopy, 'suggested'> = {
    id: 'app-1',
    data,
    status: 'incomplete',
    stage: 'draft',
    revision,
    applicationType: 'ba',
    reference: null,
    sections: {
      'about-you': 'not-started',
      military: 'not-started',
      education: 'not-started',
      employment: 'not-started',
      'financial-plan': 'not-started',
      'credit-transfer': 'not-started',
      questions: 'not-started',
    },
    submittedAt: null,
    waitlist: null,
    updatedAt: '2026-11-21T14:02:00Z',
    suggested: { noCitizenship: false, state: null },
  };
  return stored;
}

export function applicationProps(over: Partial<ApplicationProps> = {}): ApplicationProps {
  return {
    section: 'employment',
    fromCheck: false,
    missing: [],
    refereesLacking: null,
    changes: null,
    info: { path: 'bachelor', applicationType: 'ba', name: 'Bachelor’s program', degree: 'Bachelor of Arts' },
    application: { ...storedApplication(3), savedText: null },
    sent: null,
    questionnaire: { version: 0, questions: [] },
    form: null,
    conflict: null,
    otherProgram: null,
    dialog: null,
    ...over,
  };
}
