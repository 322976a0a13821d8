const dayjs = require('dayjs');
const { formatInTimeZone, getTimezoneOffset } = require('date-fns-tz');
dayjs.extend(require('dayjs/plugin/utc'));
dayjs.extend(require('dayjs/plugin/timezone'));
const day = new Date('2024-07-01T12:00:00Z');
module.exports = async () => ({ body: [dayjs.tz('2024-02-29 12:00', 'America/New_York').toISOString(), dayjs(day).tz('Asia/Tokyo').format(), dayjs(day).tz('America/New_York').format('z'), formatInTimeZone(day, 'Europe/Berlin', 'yyyy-MM-dd HH:mm:ssXXX zzz'), getTimezoneOffset('America/New_York', day)] });
