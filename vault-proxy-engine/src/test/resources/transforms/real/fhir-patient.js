// A FHIR patient from a flat registration form.
const compact = (value) => {
  if (Array.isArray(value)) {
    const items = value.map(compact).filter((each) => each !== undefined);
    return items.length ? items : undefined;
  }
  if (value && typeof value === 'object') {
    const entries = Object.entries(value)
      .map(([key, each]) => [key, compact(each)])
      .filter(([, each]) => each !== undefined);
    return entries.length ? Object.fromEntries(entries) : undefined;
  }
  return value === '' || value === null ? undefined : value;
};

module.exports = async ({ args: { body: form } }) => ({
  body: compact({
    resourceType: 'Patient',
    identifier: [{ system: 'http://hl7.org/fhir/sid/us-ssn', value: form.ssn }],
    name: [{ use: 'official', family: form.last, given: [form.first, form.middle] }],
    telecom: ['phone', 'email'].map((system) => ({ system, value: form[system] ?? '' })),
    birthDate: form.birth?.split('/').reverse().join('-'),
    address: [{ line: form.street?.split(/\r?\n/), city: form.city, postalCode: form.zip }],
  }),
  headers: { 'content-type': 'application/fhir+json' },
});
