/** One part of a token's data, with a value for tests. */
export interface Part {
  /** The name of the property; empty if the data is not an object. */
  name: string;
  label: string;
  example: string;
  optional?: boolean;
  number?: boolean;
}

const text = (label: string, example: string): Part[] => [{ name: '', label, example }];

/** The parts of each type's data; a `token` is any JSON. */
export const PARTS: Record<string, Part[]> = {
  token: [],
  card: [
    { name: 'number', label: 'Card number', example: '4242424242424242' },
    { name: 'expiration_month', label: 'Expiration month', example: '12', optional: true, number: true },
    { name: 'expiration_year', label: 'Expiration year', example: '2030', optional: true, number: true },
    { name: 'cvc', label: 'CVC', example: '123', optional: true },
  ],
  bank: [
    { name: 'routing_number', label: 'Routing number', example: '021000021' },
    { name: 'account_number', label: 'Account number', example: '000123456789' },
  ],
  card_number: text('Card number', '4242424242424242'),
  us_bank_account_number: text('Account number', '000123456789'),
  us_bank_routing_number: text('Routing number', '021000021'),
  social_security_number: text('Social security number', '123-45-6789'),
  employer_id_number: text('Employer ID number', '12-3456789'),
};

export const TOKEN_TYPES = Object.keys(PARTS);
