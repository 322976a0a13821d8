// The console: lines are kept for the one who tests a transform, and printed nowhere.
(function (host, load) {
  'use strict';
  var indent = '';
  var counts = {};
  var starts = {};

  function write(level, args) {
    var text = load('inspect').format.apply(null, args);
    host.console(level, indent && indent + text.replace(/\n/g, '\n' + indent) || text);
  }

  function writer(level) {
    return function () {
      write(level, arguments);
    };
  }

  function label(given) {
    return given === undefined ? 'default' : String(given);
  }

  function elapsed(name, rest) {
    if (!Object.prototype.hasOwnProperty.call(starts, name)) {
      return;
    }
    var millis = Date.now() - starts[name];
    var shown = millis < 1000 ? millis + 'ms' : (millis / 1000).toFixed(3) + 's';
    write('log', ['%s: %s'].concat([name, shown], rest));
  }

  return {
    console: {
      log: writer('log'),
      warn: writer('warn'),
      dir: function (value, options) {
        host.console('log', indent + load('inspect').inspect(value, options));
      },
      time: function (name) {
        starts[label(name)] = Date.now();
      },
      timeEnd: function (name) {
        elapsed(label(name), []);
        delete starts[label(name)];
      },
      timeLog: function (name) {
        elapsed(label(name), Array.prototype.slice.call(arguments, 1));
      },
      trace: function () {
        var said = load('inspect').format.apply(null, arguments);
        var stack = new Error(said).stack.replace(/^Error(?::)?/, said === '' ? 'Trace' : 'Trace:');
        write('error', ['%s', stack]);
      },
      assert: function (holds) {
        if (!holds) {
          var rest = Array.prototype.slice.call(arguments, 1);
          if (typeof rest[0] === 'string') {
            rest[0] = 'Assertion failed: ' + rest[0];
          } else {
            rest.unshift('Assertion failed');
          }
          write('warn', rest);
        }
      },
      clear: function () {},
      count: function (name) {
        var key = label(name);
        counts[key] = (counts[key] || 0) + 1;
        write('log', ['%s: %d', key, counts[key]]);
      },
      countReset: function (name) {
        delete counts[label(name)];
      },
      group: function () {
        if (arguments.length) {
          write('log', arguments);
        }
        indent += '  ';
      },
      groupEnd: function () {
        indent = indent.slice(2);
      },
      table: function (rows) {
        write('log', [rows]);
      },
      debug: writer('debug'),
      info: writer('info'),
      dirxml: writer('log'),
      error: writer('error'),
      groupCollapsed: function () {
        this.group.apply(this, arguments);
      }
    }
  };
})
