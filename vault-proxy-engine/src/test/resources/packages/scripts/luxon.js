const { DateTime, Duration } = require('luxon');
module.exports = async () => {
  const time = DateTime.fromISO('2024-02-29T10:20:30Z', { zone: 'utc' });
  return { body: [time.plus({ days: 1 }).toISO(), time.toFormat('EEEE d LLLL yyyy, HH:mm'), time.setZone('America/New_York').toISO(), time.setZone('Europe/Berlin').toFormat('ZZZZ'), time.toLocaleString(DateTime.DATE_MED), DateTime.fromFormat('05/25/1982', 'MM/dd/yyyy').toISODate(), Duration.fromISO('PT1H').as('minutes')] };
};
