// A package in the operator's folder.
const square = require('./square');
const facts = require('./facts.json');

exports.area = ({ side }) => {
  if (side === undefined) {
    throw new RangeError('no side');
  }
  return square(side);
};

exports.describe = (side) => `${facts.name} of ${exports.area({ side })} ${facts.unit}`;
