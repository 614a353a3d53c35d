// What is typed is what is stored: nothing is truncated, read as another number or restored, and likely slips are asked
// about.

import { hoursPerWeek, homeState, openSection, saved, saveState, sectionPath } from './support/answers';
import { hydrated } from './support/browser';
import {
  fillRegistration,
  newPerson,
  registerByApi,
  registerDialog,
  storedApplication,
} from './support/people';
import { expect, test } from './support/test';

const why = 'Why do you want to study coaching?';

test('a text that is too long is counted and refused, not cut', async ({ page, applicant }) => {
  await openSection(page, 'questions');
  await hydrated(page);
  const field = page.getByLabel(why);
  await expect(field).toHaveAccessibleDescription(/At most 2,000 characters/);
  const long = 'a word '.repeat(357).slice(0, 2499) + '.';
  await field.fill(long);
  await expect(page.getByText('Too long by 500 characters')).toBeVisible();
  await expect(field).toHaveAccessibleDescription(/Your answer must be at most 2000 characters\./);
  await expect(field).toHaveValue(long);
  await page.reload();
  await hydrated(page);
  await expect(field).toHaveValue(long);

  await field.fill(long.slice(600));
  await expect(page.getByText('At most 2,000 characters (1,900)')).toBeVisible();
  await saved(page);
  const { data } = await storedApplication(page.request, applicant);
  expect(data.questionnaire.answers['motivation']).toBe(long.slice(600).trim());
});

test('a decimal comma is no thousands separator, and a NUL that was pasted goes', async ({
  page,
  applicant,
}) => {
  await openSection(page, 'employment');
  await hydrated(page);
  await hoursPerWeek(page).fill('1,5');
  await hoursPerWeek(page).blur();
  await expect(hoursPerWeek(page)).toHaveAccessibleDescription(/Hours per week must be a whole number\./);
  await hoursPerWeek(page).fill('15');
  await saved(page);

  await openSection(page, 'financial-plan');
  await hydrated(page);
  await page.getByRole('checkbox', { name: 'Self-pay' }).check();
  const upFront = page.getByRole('textbox', { name: 'Up front' });
  await upFront.fill('1,50');
  await expect(upFront).toHaveAccessibleDescription(/Enter an amount in dollars, such as 1,200\.50\./);
  await upFront.fill('1.50');
  await saved(page);

  await openSection(page, 'questions');
  await hydrated(page);
  await page.getByLabel(why).evaluate((textarea: HTMLTextAreaElement) => {
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!;
    set.call(textarea, 'Be\0fore');
    textarea.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(saveState(page)).toContainText('Saved');
  await expect
    .poll(
      async () => (await storedApplication(page.request, applicant)).data.questionnaire.answers['motivation'],
    )
    .toBe('Before');
});

test('a letter that no document can be printed with is told beside its field', async ({
  signedInPage: page,
}) => {
  await openSection(page, 'employment');
  await hydrated(page);
  const name = page.getByLabel('Employer name').first();
  await name.fill('王小明 𓀀');
  await expect(name).toHaveAccessibleDescription(/contains “𓀀”, which cannot be printed/);
  await name.fill('王小明 สมชาย 김민준 🎓');
  await saved(page);
});

test('leaving the United States clears the state, and odd numbers and dates are asked about', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard/account');
  await hydrated(page);
  const [country, state] = [
    page.getByLabel('Country', { exact: true }),
    page.getByLabel('State', { exact: true }),
  ];
  await expect(state).toHaveValue('VA');
  await country.selectOption('DE');
  await expect(state).toBeHidden();
  await country.selectOption('US');
  await expect(state).toHaveValue('');

  const phone = page.getByLabel('Phone number');
  await phone.fill('+49 30 1234567');
  await expect(
    page.getByText('This number does not begin with +1. Is United States your country?'),
  ).toBeVisible();
  await country.selectOption('DE');
  await expect(page.getByText('This number does not begin with')).toBeHidden();

  const birth = page.getByLabel('Date of birth');
  await birth.fill(`${new Date().getFullYear() - 5}-01-01`);
  await expect(page.getByText('You would be 5 now. Check the year.')).toBeVisible();
  await birth.fill('1990-01-01');
  await expect(page.getByText('You would be')).toBeHidden();
});

test.describe('what was said at registration', () => {
  test('is offered and not saved before its section is', async ({ page, applicant }) => {
    await page.goto(sectionPath('about-you'));
    await hydrated(page);
    await expect(homeState(page)).toHaveValue('VA');
    expect((await storedApplication(page.request, applicant)).data.personalInfo.state).toBeNull();
    await page.getByRole('button', { name: 'Save and continue' }).click();
    await expect(page).toHaveURL(sectionPath('military'));
    await expect
      .poll(async () => (await storedApplication(page.request, applicant)).data.personalInfo.state)
      .toBe('VA');
  });

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
      test.use({ javaScriptEnabled });

      test('whoever lives abroad says whether they are a citizen', async ({ page, context }) => {
        const person = newPerson();
        const answer = await context.request.post('/api/users/register', {
          data: {
            ...person,
            phoneNumber: '+49301234567',
            dateOfBirth: '1994-05-17',
            country: 'DE',
            applicationType: 'ba',
          },
        });
        expect(answer.status()).toBe(201);
        await page.goto(sectionPath('about-you'));
        if (javaScriptEnabled) await hydrated(page);
        const question = page.getByRole('radiogroup', { name: /citizen of the United States/ });
        await expect(question.getByRole('radio', { checked: true })).toHaveCount(0);
        await expect(homeState(page)).toHaveValue('');
        await page.getByRole('button', { name: 'Save and continue' }).click();
        if (javaScriptEnabled) {
          await expect(question).toHaveAccessibleDescription(/Answer yes or no\./);
          await question.getByRole('radio', { name: 'No' }).check();
          await page.getByRole('button', { name: 'Save and continue' }).click();
        }
        await expect(page).toHaveURL(sectionPath('military'));
      });
    });
  }
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a draft is deleted for good, and another one begun', async ({ page, context }) => {
      await registerByApi(context.request, newPerson(), 'ba');
      await page.goto('/dashboard');
      if (javaScriptEnabled) await hydrated(page);
      await page.getByText('Delete this draft').click();
      await page.getByRole('button', { name: 'Delete it for good' }).click();
      await expect(page).toHaveURL('/dashboard?done=draft-deleted');
      await expect(page.getByText('Your draft was deleted.')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'No application yet' })).toBeVisible();
    });
  });
}

test('a registration dialog asks about a number of another country', async ({ page }) => {
  await page.goto('/bachelor/apply?dialog=register');
  await hydrated(page);
  const dialog = registerDialog(page);
  await dialog.getByLabel('Phone number').fill('+34 600 000 000');
  await expect(
    dialog.getByText('This number does not begin with +1. Is United States your country?'),
  ).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  const year = new Date().getFullYear();
  const right = 'Yes, that is right';

  test('registration asks before it takes what may be a slip', async ({ page }) => {
    const person = newPerson();
    await page.goto('/bachelor/apply?dialog=register');
    const dialog = registerDialog(page);
    const [birth, phone] = [dialog.getByLabel('Date of birth'), dialog.getByLabel('Phone number')];
    const register = async (password: string, repeat = password) => {
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await dialog.getByLabel('Repeat password').fill(repeat);
      await dialog.getByRole('button', { name: 'Create account' }).click();
    };
    await fillRegistration(dialog, person);
    await birth.fill(`${year - 5}-01-01`);
    await phone.fill('0049 30 1234567');
    await register(person.password, 'another one altogether');

    // All at once, each next to its field.
    await expect(dialog.getByRole('alert').getByRole('link')).toHaveText([
      'You would be 5 now. Check the year.',
      'This number does not begin with +1. Is United States your country?',
      'Passwords do not match',
    ]);
    await expect(birth).toHaveAccessibleDescription(/You would be 5 now\. Check the year\./);
    await expect(dialog.getByRole('checkbox', { name: right })).toHaveCount(2);
    await expect(dialog.getByRole('checkbox', { name: right }).first()).toHaveAccessibleDescription(
      /You would be 5/,
    );

    // One was a slip. The other is correct, and stays confirmed while something else is wrong.
    await birth.fill('1990-01-01');
    await dialog.getByRole('checkbox', { name: right }).nth(1).check();
    await register(person.password, 'another one altogether');
    await expect(dialog.getByRole('alert').getByRole('link')).toHaveText(['Passwords do not match']);
    await expect(dialog.getByRole('checkbox', { name: right })).toBeChecked();

    // The confirmation was only for that number.
    await phone.fill('+44 20 7946 0018');
    await register(person.password);
    await expect(dialog.getByRole('alert').getByRole('link')).toHaveText([/does not begin with \+1/]);
    await dialog.getByRole('checkbox', { name: right }).check();
    await register(person.password);
    await expect(page).toHaveURL(/\/bachelor\/application/);
    await page.goto('/dashboard/account');
    await expect(page.getByLabel('Phone number')).toHaveValue('+442079460018');
  });

  test('the profile asks once', async ({ signedInPage: page }) => {
    await page.goto('/dashboard/account');
    const save = page.getByRole('button', { name: 'Save profile' });
    await page.getByLabel('Date of birth').fill(`${year - 111}-01-01`);
    await page.getByLabel('First name').fill('');
    await save.click();
    await expect(page.getByRole('alert').getByRole('link')).toHaveText([
      'First name is required.',
      'You would be 111 now. Check the year.',
    ]);
    await page.getByLabel('First name').fill('Demo');
    await page.getByRole('checkbox', { name: right }).check();
    await save.click();
    await expect(page.getByText('Your profile is saved.')).toBeVisible();

    await page.getByLabel('Last name').fill('Applicant');
    await save.click();
    await expect(page.getByText('Your profile is saved.')).toBeVisible();
  });
});
