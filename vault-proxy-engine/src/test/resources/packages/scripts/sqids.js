const {default: Sqids} = require('sqids');
module.exports = async () => { const ids = new Sqids({minLength: 10}); const failed = []; for (const alphabet of ['aa', '\u00e9\u00e8\u00e0']) { try { new Sqids({alphabet}); } catch (error) { failed.push(error.message); } } return {body: [ids.encode([1, 2, 3]), ids.decode(ids.encode([4, 5])), failed]}; };
