// One walk over a script as it was parsed, before Babel knows its scopes: finds what has to be
// lowered or checked, and rewrites what Babel or Rhino would otherwise change. Babel's own traversals
// take ten times as long.
(function (regExps) {
  'use strict';

  var FUNCTION = /Function|Method$/;
  var CLASS = /^Class(Declaration|Expression)$/;
  var FIELD = /^(ClassProperty|ClassPrivateProperty|ClassAccessorProperty)$/;
  var ASSIGNING = /^(AssignmentExpression|UpdateExpression|For(In|Of)Statement)$/;
  var RESERVED = { 'await': true, 'let': true, 'yield': true };

  // The characters that Rhino's scanner drops.
  var FORMAT = new RegExp('[\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u180e\\u200b-\\u200f\\u2028-\\u202e'
      + '\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]', 'g');

  function Walk(types, run, checks) {
    this.types = types;
    this.run = run;
    this.checks = checks;
    this.names = {};
    this.records = [];
    this.unnamed = [];
    // The end of the last list that has got a function of its own.
    this.separated = 0;
    // Identifiers of what is declared only when the script is converted, by what they stand for.
    this.pending = { imported: [], meta: [] };
  }

  // What a node stands in: the function whose "this" it sees, whether the code is strict, and whether
  // a constructor here is that of a derived class.
  function Place(record, strict, derived) {
    this.record = record;
    this.strict = strict;
    this.derived = derived;
  }

  function isStrict(body) {
    return Boolean(body) && Boolean(body.directives) && body.directives.some(function (directive) {
      return directive.value.value === 'use strict';
    });
  }

  Walk.prototype.each = function (node, keys, place) {
    for (var i = 0; i < keys.length; i++) {
      var value = node[keys[i]];
      if (Array.isArray(value)) {
        for (var k = 0; k < value.length; k++) {
          if (value[k]) {
            this.node(value[k], node, keys[i], value, k, place);
          }
        }
      } else if (value) {
        this.node(value, node, keys[i], node, keys[i], place);
      }
    }
  };

  // Whether a node sets variables that a function declaration may have declared, too.
  function assigns(node, parent) {
    return node.type === 'VariableDeclarator' ? parent.kind === 'var'
        : ASSIGNING.test(node.type) && !(node.left && node.left.type === 'VariableDeclaration');
  }

  Walk.prototype.assigned = function (name) {
    this.run.assigned['$' + name] = true;
  };

  // container[slot] is the node.
  Walk.prototype.node = function (node, parent, key, container, slot, place) {
    var type = node.type;
    var found = this.run.found;
    found[type] = true;
    var handler = this[type];
    if (handler) {
      handler.call(this, node, parent, key, container, slot, place);
    }
    if (assigns(node, parent)) {
      Object.keys(this.types.getBindingIdentifiers(node)).forEach(this.assigned, this);
    }
    if (FUNCTION.test(type) && type !== 'ArrowFunctionExpression') {
      this.callable(node, parent, place);
      if (node.generator && !node.async && type === 'FunctionExpression' && !isNamedBy(parent, key)) {
        this.name(container, slot, '');
      }
    } else if (FIELD.test(type) || type === 'StaticBlock') {
      this.field(node, place);
    } else if (CLASS.test(type)) {
      this.each(node, this.types.VISITOR_KEYS[type], new Place(place.record, true, Boolean(node.superClass)));
      if (type === 'ClassExpression' && !isNamedBy(parent, key)) {
        this.name(container, slot, '');
      }
    } else {
      var inside = place;
      if (type === 'ArrowFunctionExpression') {
        this.parameters(node);
        inside = new Place(place.record, place.strict || isStrict(node.body));
      }
      this.each(node, this.types.VISITOR_KEYS[type], inside);
    }
    if (type === 'AssignmentPattern' && node.left.type === 'Identifier') {
      this.name(node, 'right', node.left.name);
    } else if (type === 'ClassProperty' && !node.computed && node.value) {
      this.name(node, 'value', node.key.type === 'Identifier' ? node.key.name : String(node.key.value));
    }
  };

  Walk.prototype.parameters = function (node) {
    var found = this.run.found;
    found.async = found.async || node.async && !node.generator;
    found.generator = found.generator || node.generator || node.async;
    found.ownGenerator = found.ownGenerator || node.generator;
    found.asyncGenerator = found.asyncGenerator || node.async && node.generator;
    found.parameters = found.parameters || node.params.some(function (param) {
      return param.type !== 'Identifier';
    });
  };

  Walk.prototype.callable = function (node, parent, place) {
    this.parameters(node);
    var strict = place.strict || isStrict(node.body);
    var record = null;
    if (node.kind === 'constructor' && place.derived) {
      record = { node: node, uses: [], before: true };
    } else if (strict && !(node.kind && node.kind !== 'method')) {
      record = { node: node, uses: [], before: false };
    }
    if (record) {
      this.records.push(record);
    }
    if (node.id) {
      this.names[node.id.name] = true;
    }
    if (node.key) {
      this.each(node, ['key'], node.computed ? place : new Place(null, strict));
    }
    this.each(node, ['params'], new Place(null, strict));
    this.each(node, ['body'], new Place(record, strict));
  };

  Walk.prototype.field = function (node, place) {
    this.each(node, ['key'], node.computed ? place : new Place(null, true));
    this.each(node, node.type === 'StaticBlock' ? ['body'] : ['value'], new Place(null, true));
  };

  // ---- Names of functions and classes, which lowering loses

  function isAnonymous(node) {
    return node.type === 'ArrowFunctionExpression'
        || (node.type === 'FunctionExpression' || node.type === 'ClassExpression') && !node.id;
  }

  function hasOwnName(node) {
    return node.type === 'ClassExpression' && node.body.body.some(function (member) {
      return member.static && !member.computed && member.key && member.key.name === 'name';
    });
  }

  // Babel names these itself, or the pattern or field around it does.
  function isNamedBy(parent, key) {
    return parent.type === 'VariableDeclarator' || parent.type === 'ObjectProperty' && key === 'value'
        || FIELD.test(parent.type) || parent.type === 'AssignmentPattern'
        || parent.type === 'AssignmentExpression' && parent.left.type === 'Identifier';
  }

  Walk.prototype.name = function (container, slot, name) {
    if (isAnonymous(container[slot]) && !hasOwnName(container[slot])) {
      this.unnamed.push({ container: container, slot: slot, name: name });
    }
  };

  // ---- Nodes that need lowering or checks, or another text

  Walk.prototype.Identifier = function (node) {
    this.names[node.name] = true;
    if (RESERVED[node.name] === true) {
      this.run.found.reserved = true;
    }
  };

  Walk.prototype.ThisExpression = function (node, parent, key, container, slot, place) {
    if (place.record) {
      place.record.uses.push({ container: container, slot: slot, parent: parent, key: key });
    }
  };

  Walk.prototype.StringLiteral = function (node) {
    var raw = node.extra ? node.extra.raw : '';
    if (/[^\x00-\x7f]/.test(raw)) {
      delete node.extra;
    }
    this.run.found.literals = this.run.found.literals || raw.indexOf('\\u{') >= 0;
  };

  Walk.prototype.DirectiveLiteral = function (node) {
    this.run.found.jsonStrings = this.run.found.jsonStrings || /[\u2028\u2029]/.test(node.value);
  };

  Walk.prototype.NumericLiteral = function (node) {
    var raw = node.extra ? node.extra.raw : '';
    this.run.found.literals = this.run.found.literals || /^0[bo]/i.test(raw);
    this.run.found.separators = this.run.found.separators || raw.indexOf('_') >= 0;
  };

  Walk.prototype.BigIntLiteral = Walk.prototype.NumericLiteral;

  // { 1n: ... }
  function bigKey(node) {
    var found = this.run.found;
    if (!node.computed && node.key.type === 'BigIntLiteral') {
      node.key = this.types.stringLiteral(String(BigInt(node.key.value)));
    }
    found.computed = found.computed || node.computed;
    found.shorthand = found.shorthand || node.shorthand || node.type === 'ObjectMethod';
  }

  Walk.prototype.ObjectProperty = bigKey;
  Walk.prototype.ObjectMethod = bigKey;

  function isData(node) {
    return node === null || /^(String|Numeric|Boolean|Null)Literal$/.test(node.type)
        || node.type === 'UnaryExpression' && isData(node.argument)
        || node.type === 'ArrayExpression' && node.elements.every(isData);
  }

  // Rhino has room for 256 lists with holes in a function: one of data, with what is in it, gets a
  // function of its own.
  Walk.prototype.ArrayExpression = function (node, parent, key, container, slot) {
    if (node.start >= this.separated && node.elements.indexOf(null) >= 0 && isData(node)) {
      var types = this.types;
      this.separated = node.end;
      container[slot] = types.callExpression(types.functionExpression(null, [],
          types.blockStatement([types.returnStatement(node)])), []);
    }
  };

  // A copy has no holes, but Babel takes an array that it knows as it is.
  Walk.prototype.SpreadElement = function (node, parent) {
    var inObject = parent.type === 'ObjectExpression';
    this.run.found[inObject ? 'objectRest' : 'spread'] = true;
    if (node.argument.type === 'Identifier' && node.argument.name !== 'arguments') {
      this.names[node.argument.name] = true;
      node.argument = this.types.sequenceExpression([this.types.numericLiteral(0), node.argument]);
    }
  };

  Walk.prototype.RestElement = function (node, parent) {
    this.run.found.objectRest = this.run.found.objectRest || parent.type === 'ObjectPattern';
  };

  Walk.prototype.RegExpLiteral = function (node) {
    var pattern = regExps.adapted(node.pattern, node.flags);
    this.checks.pattern(node, pattern, node.flags);
    node.pattern = pattern.replace(FORMAT, function (unit) {
      return '\\u' + ('000' + unit.charCodeAt(0).toString(16)).slice(-4);
    });
    delete node.extra;
  };

  Walk.prototype.AssignmentExpression = function (node) {
    var found = this.run.found;
    var isLogical = /^(\|\||&&|\?\?)=$/.test(node.operator);
    found.logicalAssignment = found.logicalAssignment || isLogical;
    found.assignedMember = found.assignedMember
        || !isLogical && node.left.type === 'MemberExpression';
  };

  // Functions of Rhino have a property "arity" that scripts cannot set.
  function withoutArity(node) {
    var name = node.computed ? node.property.value : node.property.name;
    if (name === 'arity' && node.object.type !== 'Super'
        && (node.type === 'MemberExpression' || node.optional)) {
      node.object = this.types.callExpression(
          this.types.identifier('vault$withoutArity'), [node.object]);
    }
  }

  Walk.prototype.MemberExpression = withoutArity;
  Walk.prototype.OptionalMemberExpression = withoutArity;

  Walk.prototype.LogicalExpression = function (node) {
    this.run.found.nullish = this.run.found.nullish || node.operator === '??';
  };

  Walk.prototype.BinaryExpression = function (node) {
    this.run.found.privateIn = this.run.found.privateIn || node.left.type === 'PrivateName';
  };

  Walk.prototype.CatchClause = function (node) {
    this.run.found.optionalCatch = this.run.found.optionalCatch || !node.param;
  };

  Walk.prototype.ForOfStatement = function (node) {
    this.run.found.asyncGenerator = this.run.found.asyncGenerator || node.await;
    this.run.found.generator = this.run.found.generator || node.await;
  };

  Walk.prototype.VariableDeclaration = function (node) {
    this.run.found.blockScoping = this.run.found.blockScoping || node.kind !== 'var';
  };

  // An identifier that gets its name when all names of the script are known.
  Walk.prototype.named = function (kind) {
    var made = this.types.identifier('_');
    this.pending[kind].push(made);
    return made;
  };

  Walk.prototype.MetaProperty = function (node, parent, key, container, slot) {
    if (!this.run.module || node.meta.name !== 'import') {
      this.checks.metaProperty(node);
      return;
    }
    // Only an ES module can have it.
    this.run.found.esModule = true;
    container[slot] = this.named('meta');
  };

  Walk.prototype.WithStatement = function (node) {
    this.checks.withStatement(node);
  };

  Walk.prototype.Import = function (node) {
    if (!this.run.module) {
      this.checks.importCall(node);
    }
  };

  // import(name) of a module; attributes do not matter.
  Walk.prototype.importCall = function (node) {
    this.checks.required(node);
    node.callee = this.named('imported');
    node.arguments.length = 1;
  };

  ['ImportDeclaration', 'ExportAllDeclaration', 'ExportDefaultDeclaration', 'ExportNamedDeclaration']
      .forEach(function (type) {
        Walk.prototype[type] = function (node) {
          if (!this.run.module) {
            this.checks.ofModules(node);
          } else if (type === 'ExportDefaultDeclaration') {
            this.exportDefault(node);
          }
        };
      });

  Walk.prototype.exportDefault = function (node) {
    var value = node.declaration;
    if (/Declaration$/.test(value.type) && !value.id) {
      value.type = value.type.replace('Declaration', 'Expression');
    }
    this.name(node, 'declaration', 'default');
  };

  // Whether it does not matter when a value is read.
  function isPlainName(node) {
    return /^(Identifier|NullLiteral|ThisExpression)$/.test(node.type)
        || node.type === 'MemberExpression' && !node.computed && isPlainName(node.object);
  }

  // { __proto__: a, ...b } of a module: the prototype first, then the literal without it.
  Walk.prototype.ObjectExpression = function (node, parent, key, container, slot, place) {
    var self = this;
    var named = this.run.module ? node.properties.filter(function (each, index) {
      return self.checks.isLoweredPrototype(node, each) && (index === 0 || isPlainName(each.value));
    }) : [];
    if (named.length === 1) {
      node.properties.splice(node.properties.indexOf(named[0]), 1);
      container[slot] = this.types.callExpression(
          this.types.identifier('vault$withPrototype'), [named[0].value, node]);
      this.node(named[0].value, container[slot], 'arguments', container[slot].arguments, 0, place);
    }
    this.checks.prototypeOf(node);
  };

  // What can be decided only with scopes.
  Walk.prototype.ForStatement = function (node) {
    this.run.found.scopedCheck = this.run.found.scopedCheck
        || Boolean(node.init) && node.init.type === 'VariableDeclaration' && node.init.kind !== 'var';
  };

  Walk.prototype.FunctionDeclaration = function (node, parent) {
    this.run.found.scopedCheck = this.run.found.scopedCheck
        || parent.type === 'BlockStatement' || parent.type === 'SwitchCase';
  };

  // A class of a block may get another name there, unless it is the value of a variable.
  function nameClasses(types, statements) {
    statements.forEach(function (each, index) {
      if (each.type === 'ClassDeclaration') {
        each.type = 'ClassExpression';
        var declarator = types.variableDeclarator(types.cloneNode(each.id), each);
        statements[index] = types.variableDeclaration('let', [declarator]);
        [declarator, statements[index]].forEach(function (made) {
          made.loc = each.loc;
          made.start = each.start;
          made.end = each.end;
        });
      }
    });
  }

  Walk.prototype.BlockStatement = function (node, parent) {
    if (!FUNCTION.test(parent.type)) {
      nameClasses(this.types, node.body);
    }
  };

  Walk.prototype.SwitchCase = function (node) {
    nameClasses(this.types, node.consequent);
  };

  Walk.prototype.ClassDeclaration = Walk.prototype.ClassExpression = function () {
    this.run.found['class'] = true;
  };

  // A module may make what only a literal can have here from literals.
  Walk.prototype.literalRegExp = function (node, container, slot) {
    var values = node.arguments.map(function (each) {
      return each.type === 'StringLiteral' ? each.value : null;
    });
    var flags = values.length === 1 ? '' : values[1];
    if (!this.run.module || !values[0] || typeof flags !== 'string'
        || !regExps.needsTables(values[0], flags)) {
      return;
    }
    var pattern = values[0].replace(/\\[^]|[/\n\r\u2028\u2029]/g, function (part) {
      return part.length === 2 ? part : part === '/' ? '\\/'
          : '\\u' + ('000' + part.charCodeAt(0).toString(16)).slice(-4);
    });
    var literal = this.types.regExpLiteral(pattern, flags);
    literal.loc = node.loc;
    container[slot] = literal;
    this.run.found.RegExpLiteral = true;
    this.RegExpLiteral(literal);
  };

  function called(node, parent, key, container, slot) {
    var name = node.callee.type === 'Identifier' ? node.callee.name : '';
    if (node.callee.type === 'Import' && this.run.module) {
      this.importCall(node);
    } else if (name === 'require') {
      this.checks.required(node);
    } else if (name === 'RegExp') {
      this.literalRegExp(node, container, slot);
      this.run.found.scopedCheck = this.run.found.scopedCheck
          || node.arguments.length > 0 && /Literal$/.test(node.arguments[0].type);
    }
  }

  Walk.prototype.CallExpression = called;
  Walk.prototype.NewExpression = called;

  // ---- What is rewritten when the whole script is known

  Walk.prototype.free = function (wanted) {
    var name = wanted;
    for (var i = 2; this.names[name]; i++) {
      name = wanted + i;
    }
    this.names[name] = true;
    return name;
  };

  // this of strict functions, which Rhino takes for the global object, or for an undefined value
  // whose type is "object", which does not matter where a member is read
  Walk.prototype.strictThis = function (record) {
    var t = this.types;
    var self = this.free('_self');
    var missing = t.binaryExpression('===', t.thisExpression(), t.identifier('globalThis'));
    if (record.uses.some(function (use) { return use.key !== 'object'; })) {
      missing = t.logicalExpression('||', missing, t.binaryExpression('===', t.thisExpression(),
          t.unaryExpression('void', t.numericLiteral(0))));
    }
    record.uses.forEach(function (use) {
      var made = t.identifier(self);
      made.loc = use.container[use.slot].loc;
      use.container[use.slot] = made;
    });
    record.node.body.body.unshift(t.variableDeclaration('var', [t.variableDeclarator(
        t.identifier(self),
        t.conditionalExpression(
            missing, t.unaryExpression('void', t.numericLiteral(0)), t.thisExpression()))]));
  };

  // this before super(), which Babel checks only where it is no object of a member
  Walk.prototype.thisBeforeSuper = function (record) {
    var t = this.types;
    var first = record.node.body.body[0];
    if (first && first.type === 'ExpressionStatement' && first.expression.type === 'CallExpression'
        && first.expression.callee.type === 'Super') {
      return;
    }
    record.uses.forEach(function (use) {
      if (/MemberExpression$/.test(use.parent.type) && use.key === 'object') {
        use.container[use.slot] = t.sequenceExpression([t.numericLiteral(0), t.thisExpression()]);
      }
    });
  };

  // this at the top of an ES module
  Walk.prototype.topThis = function (record) {
    var t = this.types;
    record.uses.forEach(function (use) {
      use.container[use.slot] = t.unaryExpression('void', t.numericLiteral(0));
    });
  };

  Walk.prototype.finish = function (program) {
    var self = this;
    var t = this.types;
    Object.keys(this.pending).forEach(function (kind) {
      if (self.pending[kind].length > 0) {
        self.run[kind] = self.free('_' + kind);
        self.pending[kind].forEach(function (each) { each.name = self.run[kind]; });
      }
    });
    this.records.forEach(function (record) {
      if (record.uses.length > 0) {
        if (record.node === program) {
          if (self.run.found.esModule) {
            self.topThis(record);
          }
        } else if (record.before) {
          self.thisBeforeSuper(record);
        } else {
          self.strictThis(record);
        }
      }
    });
    if (this.unnamed.length === 0) {
      return;
    }
    var named = this.free('_named');
    this.run.named = named;
    this.unnamed.forEach(function (each) {
      each.container[each.slot] = t.callExpression(
          t.identifier(named), [each.container[each.slot], t.stringLiteral(each.name)]);
    });
    var naming = t.functionDeclaration(
        t.identifier(named), [t.identifier('value'), t.identifier('name')], t.blockStatement([
          t.returnStatement(t.callExpression(
              t.memberExpression(t.identifier('Object'), t.identifier('defineProperty')),
              [t.identifier('value'), t.stringLiteral('name'), t.objectExpression([
                t.objectProperty(t.identifier('value'), t.identifier('name')),
                t.objectProperty(t.identifier('configurable'), t.booleanLiteral(true))
              ])]))
        ]));
    // The conversion adds it where the module may declare an Object of its own.
    if (this.run.found.esModule || this.run.imported) {
      this.run.naming = naming;
    } else {
      program.body.unshift(naming);
    }
  };

  function isModuleDeclaration(node) {
    return /^(Import|Export\w+)Declaration$/.test(node.type);
  }

  return function (types, file, run, checks) {
    var walk = new Walk(types, run, checks);
    run.found.esModule = run.module && file.program.body.some(isModuleDeclaration);
    var strict = run.found.esModule || isStrict(file.program);
    var top = { node: file.program, uses: [], before: false };
    walk.records.push(top);
    walk.each(file.program, types.VISITOR_KEYS.Program, new Place(top, strict));
    walk.finish(file.program);
    run.found.lateTarget = run.found.assignedMember && run.found.generator;
  };
})
