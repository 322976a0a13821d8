// An identity provider wants names, age and a hashed social security number.
const { createHash } = require('crypto');

class Person {
  #ssn;

  constructor({ first_name: first, last_name: last, birth_date: born, ssn }) {
    this.name = [first, last].filter(Boolean).join(' ');
    this.born = new Date(`${born}T00:00:00Z`);
    this.#ssn = ssn.replace(/-/g, '');
  }

  get ssnHash() {
    return createHash('sha256').update(this.#ssn).digest('base64');
  }

  ageOn(day) {
    const years = day.getUTCFullYear() - this.born.getUTCFullYear();
    const birthday = new Date(Date.UTC(day.getUTCFullYear(), this.born.getUTCMonth(), this.born.getUTCDate()));
    return day < birthday ? years - 1 : years;
  }

  toJSON() {
    return { name: this.name, born: this.born.toISOString().slice(0, 10), ssn_hash: this.ssnHash };
  }
}

module.exports = async ({ args, configuration }) => {
  const person = new Person(args.body);
  const age = person.ageOn(new Date(configuration.TODAY));
  if (age < 18) {
    const error = new Error('The applicant is under age');
    error.status = 422;
    throw error;
  }
  return { body: { person, age } };
};
