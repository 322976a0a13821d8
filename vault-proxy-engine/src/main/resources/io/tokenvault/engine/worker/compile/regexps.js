// Regular expressions that Rhino's engine takes for others than Node's: what can be written so that
// both agree is, the rest is rejected.
(function () {
  'use strict';

  // (?<=ab|c) as (?:(?<=ab)|(?<=c)), and (?<!ab|c) as (?<!ab)(?<!c). A lookbehind that matched is not
  // tried again, so (?<=(a)|b) stays as it is: its groups would show the second attempt.
  function splitBehind(pattern) {
    var made = '';
    var inClass = false;
    for (var at = 0; at < pattern.length; at++) {
      var unit = pattern.charAt(at);
      var head = inClass ? null : /^\(\?<[=!]/.exec(pattern.slice(at, at + 4));
      if (head) {
        var choices = choicesFrom(pattern, at + 4);
        var parts = choices.texts.map(splitBehind);
        var negative = head[0] === '(?<!';
        made += !negative && choices.captures
            ? head[0] + parts.join('|') + ')'
            : parts.length === 1 || negative ? head[0] + parts.join(')' + head[0]) + ')'
            : '(?:' + head[0] + parts.join(')|' + head[0]) + '))';
        at = choices.end;
      } else if (unit === '\\') {
        made += pattern.substr(at++, 2);
      } else {
        inClass = inClass ? unit !== ']' : unit === '[';
        made += unit;
      }
    }
    return made;
  }

  // The alternatives of the group whose content begins here.
  function choicesFrom(pattern, start) {
    var texts = [];
    var captures = false;
    var depth = 0;
    var inClass = false;
    for (var at = start; at < pattern.length; at++) {
      var unit = pattern.charAt(at);
      if (unit === '\\') {
        at++;
      } else if (inClass || unit === '[') {
        inClass = unit !== ']';
      } else if (unit === '(') {
        captures = captures || /^\((?!\?)|^\(\?<[^=!]/.test(pattern.substr(at, 4));
        depth++;
      } else if (depth === 0 && (unit === '|' || unit === ')')) {
        texts.push(pattern.slice(start, at));
        start = at + 1;
        if (unit === ')') {
          break;
        }
      } else if (unit === ')') {
        depth--;
      }
    }
    return { texts: texts, captures: captures, end: at };
  }

  // Escapes that mean the character itself without the flag "u"; \c alone means a backslash.
  function identityEscapes(pattern) {
    return pattern.replace(/\\([^])/g, function (escape, unit, at) {
      var rest = pattern.slice(at + 2);
      return unit === 'p' || unit === 'P'
          || unit === 'x' && !/^[0-9a-fA-F]{2}/.test(rest)
          || unit === 'u' && !/^[0-9a-fA-F]{4}/.test(rest) ? unit
          : unit === 'c' && !/^[A-Za-z]/.test(rest) ? '\\\\c' : escape;
    });
  }

  // The pattern as Rhino reads it alike.
  function adapted(pattern, flags) {
    return pattern === '' ? '(?:)' : splitBehind(flags.indexOf('u') < 0 ? identityEscapes(pattern) : pattern);
  }

  // A group that looks behind, or a group in it, with alternatives of several characters.
  function alternativesBehind(pattern) {
    var open = [];
    for (var i = 0; i < pattern.length; i++) {
      var unit = pattern.charAt(i);
      var top = open[open.length - 1];
      var start = i;
      if (unit === '(') {
        var behind = /^\(\?<[=!]/.test(pattern.slice(i)) || Boolean(top && top.behind);
        open.push({ behind: behind, atoms: 0, long: false, choice: false });
        i += (/^\((\?(:|=|!|<=|<!|<[^>]*>))?/.exec(pattern.slice(i))[0].length) - 1;
        if (top) {
          top.atoms += 2;
          top.long = true;
        }
        continue;
      }
      if (unit === ')') {
        var closed = open.pop();
        if (closed && closed.behind && closed.choice && closed.long) {
          return true;
        }
        continue;
      }
      if (!top) {
        i += unit === '\\' ? 1 : 0;
        i = unit === '[' ? endOfClass(pattern, start) : i;
        continue;
      }
      if (unit === '|') {
        top.choice = true;
        top.atoms = 0;
        continue;
      }
      if (unit === '\\') {
        i++;
      } else if (unit === '[') {
        i = endOfClass(pattern, start);
      }
      top.atoms += unit === '^' || unit === '$' ? 0 : 1;
      top.long = top.long || top.atoms > 1;
    }
    return false;
  }

  function endOfClass(pattern, start) {
    for (var i = start + 1; i < pattern.length && pattern.charAt(i) !== ']'; i++) {
      i += pattern.charAt(i) === '\\' ? 1 : 0;
    }
    return i;
  }

  // What Rhino's engine takes for something else than Node's.
  function misread(pattern, flags) {
    if (pattern.split('(').length > 1000) {
      return 'This regular expression is too large';
    }
    if (/\(\?<[=!]/.test(pattern) && alternativesBehind(pattern)) {
      return 'Alternatives of several characters in (?<=...) or (?<!...) are not possible here; match'
          + ' them without looking behind';
    }
    var atoms = pattern.replace(/\\u\{[^}]*\}|\\[^]/g, 'a').replace(/\[[^\]]*\]/g, 'a');
    if (/\{\d+(,\d*)?\}\{\d+(,\d*)?\}/.test(atoms)) {
      return 'This is not a regular expression: there is nothing to repeat';
    }
    return null;
  }

  // Whether Rhino's engine accepts a pattern.
  function isKnown(pattern, flags) {
    try {
      new RegExp(pattern, flags);
      return true;
    } catch (error) {
      return false;
    }
  }

  // Whether Rhino has not the tables of Unicode that this needs, and Babel has to write them out.
  function needsTables(pattern, flags) {
    return /u/.test(flags) && !/[dv]/.test(flags)
        && (/i/.test(flags) || /\\[pP]\{(C|Other|Cn|Unassigned)\}/.test(pattern)
            || !isKnown(pattern, flags));
  }

  // The pattern as Rhino reads it alike; null if that takes more than the pattern.
  function plain(pattern, flags) {
    var result = adapted(pattern, flags);
    return /[dv]/.test(flags) || misread(result, flags) !== null || needsTables(result, flags)
        || !isKnown(result, flags) ? null : result;
  }

  return { adapted: adapted, isKnown: isKnown, misread: misread, needsTables: needsTables, plain: plain };
})()
