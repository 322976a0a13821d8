// A transform as the compiler makes them, for the first steps of a worker.
var _excluded = ["customer", "items", "card"];
var _target;
function vault$objectWithoutProperties(e,t){if(null==e)return{};var o,r,i=vault$objectWithoutPropertiesLoose(e,t);if(Object.getOwnPropertySymbols){var n=Object.getOwnPropertySymbols(e);for(r=0;r<n.length;r++)o=n[r],-1===t.indexOf(o)&&{}.propertyIsEnumerable.call(e,o)&&(i[o]=e[o]);}return i;}function vault$objectWithoutPropertiesLoose(r,e){if(null==r)return{};var t={};for(var n in r)if({}.hasOwnProperty.call(r,n)){if(-1!==e.indexOf(n))continue;'__proto__'===n?Object.defineProperty(t,n,{value:r[n],writable:!0,enumerable:!0,configurable:!0}):t[n]=r[n];}return t;}function vault$objectSpread2$ownKeys(e,r){var t=Object.keys(e);if(Object.getOwnPropertySymbols){var o=Object.getOwnPropertySymbols(e);r&&(o=o.filter(function(r){return Object.getOwnPropertyDescriptor(e,r).enumerable;})),t.push.apply(t,o);}return t;}function vault$objectSpread2(e){for(var r=1;r<arguments.length;r++){var t=null!=arguments[r]?arguments[r]:{};r%2?vault$objectSpread2$ownKeys(Object(t),!0).forEach(function(r){vault$defineProperty(e,r,t[r]);}):Object.getOwnPropertyDescriptors?Object.defineProperties(e,Object.getOwnPropertyDescriptors(t)):vault$objectSpread2$ownKeys(Object(t)).forEach(function(r){Object.defineProperty(e,r,Object.getOwnPropertyDescriptor(t,r));});}return e;}function vault$defineProperty(e,r,t){return(r=vault$toPropertyKey(r))in e?Object.defineProperty(e,r,{value:t,enumerable:!0,configurable:!0,writable:!0}):e[r]=t,e;}function vault$toPropertyKey(t){var i=vault$toPrimitive(t,"string");return"symbol"==typeof i?i:i+"";}function vault$toPrimitive(t,e){if("object"!=typeof t||!t)return t;var r;if("undefined"!=typeof Symbol&&void 0!==(r=t[Symbol.toPrimitive])){var i=r.call(t,e||"default");if("object"!=typeof i)return i;throw new TypeError("@@toPrimitive must return a primitive value.");}return("string"===e?String:Number)(t);}function vault$slicedToArray(r,e){return vault$arrayWithHoles(r)||vault$iterableToArrayLimit(r,e)||vault$unsupportedIterableToArray(r,e)||vault$nonIterableRest();}function vault$arrayWithHoles(r){if(Array.isArray(r))return r;}function vault$iterableToArrayLimit(r,l){var t=null==r?null:"undefined"!=typeof Symbol&&r[Symbol.iterator]||r["@@iterator"];if(null!=t){var e,n,i,u,a=[],f=!0,o=!1;try{if(i=(t=t.call(r)).next,0===l){if(Object(t)!==t)return;f=!1;}else for(;!(f=(e=i.call(t)).done)&&(a.push(e.value),a.length!==l);f=!0);}catch(r){o=!0,n=r;}finally{try{if(!f&&null!=t.return&&(u=t.return(),Object(u)!==u))return;}finally{if(o)throw n;}}return a;}}function vault$unsupportedIterableToArray(r,a){if(r){if("string"==typeof r)return vault$arrayLikeToArray(r,a);var t={}.toString.call(r).slice(8,-1);return"Object"===t&&r.constructor&&(t=r.constructor.name),"Map"===t||"Set"===t?Array.from(r):"Arguments"===t||/^(?:Ui|I)nt(?:8|16|32)(?:Clamped)?Array$/.test(t)?vault$arrayLikeToArray(r,a):void 0;}}function vault$arrayLikeToArray(r,a){(null==a||a>r.length)&&(a=r.length);for(var e=0,n=Array(a);e<a;e++)n[e]=r[e];return n;}function vault$nonIterableRest(){throw new TypeError("Invalid attempt to destructure non-iterable instance.\nIn order to be iterable, non-array objects must have a [Symbol.iterator]() method.");}
var crypto = require('crypto');
var cents = function cents(amount) {
return Math.round(Number(amount) * 100);
};
var line = function line(_ref, index) {
var sku = _ref.sku;
var name = _ref.name;
var quantity = _ref.quantity;
var price = _ref.price;
var _ref$tax = _ref.tax;
var tax = _ref$tax === void 0 ? 0 : _ref$tax;
return {
number: index + 1,
sku: sku,
description: "".concat(quantity, " x ").concat(name.trim()),
quantity: quantity,
unit_amount: cents(price),
tax_amount: cents(price * quantity * tax)
};
};
var sign = function () {
var _ref2 = vault$asyncToGenerator(vault$regenerator().m(function _callee(secret, timestamp, payload) {
return vault$regenerator().w(function (_context) {
while (1) switch (_context.n) {
case 0:
return _context.a(2, crypto.createHmac('sha256', secret).update("".concat(timestamp, ".").concat(payload)).digest('hex'));
}
}, _callee);
}));
return function sign(_x, _x2, _x3) {
return _ref2.apply(this, arguments);
};
}();
_target = module;
_target.exports = function () {
var _ref4 = vault$asyncToGenerator(vault$regenerator().m(function _callee2(_ref3) {
var _customer$email$toLow, _customer$email;
var args, configuration, _args$body, customer, items, card, rest, lines, body, signature;
return vault$regenerator().w(function (_context2) {
while (1) switch (_context2.n) {
case 0:
args = _ref3.args;
configuration = _ref3.configuration;
_args$body = args.body;
customer = _args$body.customer;
items = _args$body.items;
card = _args$body.card;
rest = vault$objectWithoutProperties(_args$body, _excluded);
lines = items.map(line);
body = {
merchant: configuration.MERCHANT_ID,
reference: rest.id,
amount: lines.reduce(function (sum, item) {
return sum + item.quantity * item.unit_amount;
}, 0),
currency: (rest.currency || 'EUR').toUpperCase(),
customer: {
name: [customer.first_name, customer.last_name].filter(Boolean).join(' '),
email: (_customer$email$toLow = (_customer$email = customer.email) === null || _customer$email === void 0 ? void 0 : _customer$email.toLowerCase()) !== null && _customer$email$toLow !== void 0 ? _customer$email$toLow : null,
address: vault$objectSpread2(vault$objectSpread2({}, customer.address), {}, {
country: customer.address.country || 'DE'
})
},
source: {
number: card.number.replace(/\D/g, ''),
month: card.exp_month,
year: card.exp_year
},
lines: lines,
metadata: Object.fromEntries(Object.entries(rest.metadata).map(function (_ref5) {
var _ref6 = vault$slicedToArray(_ref5, 2);
var k = _ref6[0];
var v = _ref6[1];
return ["m_".concat(k), v];
}))
};
_context2.n = 1;
return sign(configuration.SECRET, configuration.TIMESTAMP, JSON.stringify(body));
case 1:
signature = _context2.v;
return _context2.a(2, {
body: body,
headers: vault$objectSpread2(vault$objectSpread2({}, args.headers), {}, {
'x-signature': "t=".concat(configuration.TIMESTAMP, ",v1=").concat(signature)
})
});
}
}, _callee2);
}));
return function (_x4) {
return _ref4.apply(this, arguments);
};
}();
//# lines=0,0 0,0 0,0 2,1 4,1 4,27 4,26 6,1 6,17 6,22 6,28 6,38 6,45 6,45 6,67 7,3 8,3 9,3 10,3 11,3 12,3 13,1 6,16 15,1 15,14 16,3 16,3 16,3 16,3 16,2 16,3 16,2 15,7 15,11 15,11 15,14 18,1 18,1 18,18 18,27 18,27 18,27 18,27 18,27 18,27 18,33 19,46 19,11 19,21 19,28 19,37 20,9 21,9 22,5 23,5 24,5 24,41 24,81 25,5 26,5 27,7 28,7 29,7 29,39 29,80 30,5 31,5 31,15 31,55 31,78 31,98 32,5 33,5 33,70 33,70 33,73 33,80 33,69 34,3 21,9 35,27 35,27 35,9 36,10 36,12 36,18 36,46 36,107 36,110 18,26 18,27 18,26 18,18 18,18 18,18 18,18