// The module tty: there is no terminal.
(function () {
  'use strict';
  return {
    isatty: function isatty() {
      return false;
    }
  };
})
