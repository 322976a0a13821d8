// Nested optional data with defaults, destructured in the parameters.
module.exports = async ({
  args: {
    body: { patient: { name = 'unknown', allergies: [firstAllergy = 'none', ...others] = [] } = {}, drugs = [] },
  },
}) => {
  const doses = drugs.flatMap(({ code, times: { perDay = 1, days = 7 } = {} }) =>
    Array.from({ length: Math.min(perDay * days, 4) }, (_, i) => `${code}#${i + 1}`)
  );
  const warnings = drugs.some((drug) => drug.code?.toLowerCase().includes(firstAllergy.toLowerCase()))
    ? [`allergic to ${firstAllergy}`]
    : [];
  return { body: { name, firstAllergy, others: others.length, doses, warnings, last: doses[doses.length - 1] ?? null } };
};
