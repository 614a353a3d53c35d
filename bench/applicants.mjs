// Applicants on the measured server, created through its API with differing answers, so that no two pages are alike.
import { fetchRaw } from './processes.mjs';

const NAMES = ['Ada', 'Bruno', 'Carmen', 'Dmitri', 'Efua', 'Farid', 'Greta', 'Hana'];
const YEARS = ['<1', '1-2', '3-5', '6-10', '>10'];
const PAYMENTS = ['tuition_assistance', 'gi_bill', 'employer', 'scholarship', 'self_pay'];

const employer = (index) => ({
  name: `Demo Employer ${index}`,
  jobTitle: 'Instructor',
  hoursPerWeek: 20 + index,
  yearsInRole: YEARS[index % YEARS.length],
});

const answers = (index) => ({
  applicationType: 'ba',
  personalInfo: {
    isUSCitizen: true,
    isMilitaryAffiliated: index % 2 === 0,
    isDoDEmployee: false,
    state: 'TX',
  },
  education: { hasBachelors: true, country: 'US', hasMasters: index % 3 === 0, mastersCountry: 'US' },
  employment: {
    isSeeingCoachingClients: false,
    isCurrentlyEmployed: true,
    currentEmployer: employer(index),
    hasPreviousEmployment: true,
    previousEmployers: Array.from({ length: 1 + (index % 3) }, (_, previous) => employer(previous)),
  },
  financialPlan: {
    selectedPayments: PAYMENTS.slice(index % 3),
    selfPayContribution: { upFrontContribution: 120_000 + index, monthlyPaymentContribution: 25_000 },
  },
  creditTransfer: { selectedPrograms: ['jst', 'clep'] },
  questionnaire: {
    answers: {
      motivation: `Reason ${index}`,
      studyMode: 'part_time',
      hoursPerWeek: 8 + index,
      needsAccommodation: false,
    },
  },
});

async function call(address, path, body, headers = {}) {
  const options = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
  const answer = await fetchRaw(address, path, options);
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return answer;
}

/**
 * Registers `count` applicants, each with a saved application. Returns { cookie, token, body } of each, where body is
 * what was saved.
 */
export async function register(address, count) {
  const applicants = [];
  for (let index = 0; index < count; index += 1) {
    const registration = JSON.stringify({
      firstName: NAMES[index % NAMES.length],
      lastName: 'Demo',
      email: `applicant-${index}@example.org`,
      password: 'river lantern quiet 42',
      dateOfBirth: '1990-02-28',
      phoneNumber: '+12025550100',
      country: 'US',
      state: 'TX',
      applicationType: 'ba',
    });
    const { headers, body } = await call(address, '/api/users/register', registration);
    const { token } = JSON.parse(body);
    const cookie = headers['set-cookie'].map((set) => set.split(';')[0]).join('; ');
    const saved = JSON.stringify(answers(index));
    await call(address, '/api/users/application', saved, { authorization: `Bearer ${token}` });
    applicants.push({ cookie, token, body: saved });
  }
  return applicants;
}
