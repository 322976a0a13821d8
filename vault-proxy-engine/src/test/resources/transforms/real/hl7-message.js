// An HL7 v2 message, segments ended by carriage returns.
const escapeField = (text = '') =>
  text.replace(/[\\|^~&]/g, (c) => ({ '\\': '\\E\\', '|': '\\F\\', '^': '\\S\\', '~': '\\R\\', '&': '\\T\\' }[c]));

function* segments({ sender, receiver, id, patient, results }) {
  yield ['MSH', '^~\\&', sender, '', receiver, '', '20261121', '', 'ORU^R01', id, 'P', '2.5'];
  yield ['PID', '1', '', escapeField(patient.mrn), '', `${escapeField(patient.last)}^${escapeField(patient.first)}`];
  let set = 1;
  for (const { code, value, unit, abnormal = false } of results) {
    yield ['OBX', String(set++), 'NM', code, '', value.toFixed(2), unit, '', abnormal ? 'H' : 'N'];
  }
}

module.exports = async ({ args }) => {
  const lines = Array.from(segments(args.body), (fields) => fields.join('|'));
  return { body: lines.join('\r') + '\r', headers: { 'content-type': 'application/hl7-v2' } };
};
