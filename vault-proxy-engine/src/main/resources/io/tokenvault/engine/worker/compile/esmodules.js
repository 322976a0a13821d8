// An ES module of the operator as a CommonJS module: what require of it returns in Node.js is a
// namespace, whose properties are getters here, so that they always have the values of the module.
(function (Babel) {
  'use strict';
  var t = Babel.types;

  // The names that a CommonJS module gets as arguments.
  var OF_COMMONJS = ['module', 'exports', 'require', '__filename', '__dirname'];

  // The globals that the helpers below need, which a module may declare for itself.
  var GLOBALS = ['Object', 'Symbol', 'Promise'];

  // What the modules use. Only a namespace of an ES module has this tag and no prototype; anything
  // else that is imported is a CommonJS module, which is its own default export. Bundlers give its
  // exports the tag too.
  var HELPERS = {
    isNamespace: 'function NAME(value) {'
        + ' return value !== null && typeof value === "object" && value[Symbol.toStringTag] === "Module"'
        + ' && Object.getPrototypeOf(value) === null; }',
    byDefault: 'function NAME(value) { return IS(value) ? value : { default: value }; }',
    namespace: 'function NAME(value) { return IS(value) ? value'
        + ' : Object.assign(Object.create(null), value, { default: value }); }',
    define: 'function NAME(target, names, getters) { Object.setPrototypeOf(target, null);'
        + ' Object.defineProperty(target, Symbol.toStringTag, { value: "Module" });'
        + ' names.forEach(function (name, index) {'
        + ' Object.defineProperty(target, name, { enumerable: true, get: getters[index] }); }); }',
    all: 'function NAME(target, value) { Object.keys(value).sort().forEach(function (name) {'
        + ' if (name !== "default" && name !== "__esModule" && !Object.getOwnPropertyDescriptor(target, name)) {'
        + ' Object.defineProperty(target, name, { enumerable: true, get: function () { return value[name]; } }); } }); }'
  };

  function Conversion(path, run) {
    this.path = path;
    this.run = run;
    this.names = Object.create(null);
    this.helpers = [];
    this.modules = Object.create(null);
    this.required = [];
    this.imported = Object.create(null);
    this.exported = Object.create(null);
    this.body = [];
  }

  Conversion.prototype.uid = function (name) {
    return this.path.scope.generateUidIdentifier(name).name;
  };

  Conversion.prototype.helper = function (name) {
    if (!this.names[name]) {
      var is = name === 'byDefault' || name === 'namespace' ? this.helper('isNamespace') : '';
      this.names[name] = this.uid(name);
      this.helpers.push(parsed(HELPERS[name].replace('NAME', this.names[name]).replace('IS', is)));
    }
    return this.names[name];
  };

  function parsed(text) {
    var statement = Babel.parse(text, { sourceType: 'script' }).program.body[0];
    t.removePropertiesDeep(statement);
    return statement;
  }

  function nameOf(node) {
    return node.type === 'StringLiteral' ? node.value : node.name;
  }

  function member(object, name) {
    return t.isValidIdentifier(name)
        ? t.memberExpression(t.identifier(object), t.identifier(name))
        : t.memberExpression(t.identifier(object), t.stringLiteral(name), true);
  }

  function variable(name, value) {
    return t.variableDeclaration('var', [t.variableDeclarator(t.identifier(name), value)]);
  }

  function call(name, args) {
    return t.callExpression(t.identifier(name), args);
  }

  // An imported module: the variables of its exports and of what its default export is read from,
  // and the statements that set them. These stand together: in a cycle, the next module to be
  // required may already use them.
  Conversion.prototype.module = function (declaration) {
    var source = declaration.source.value;
    if (!this.modules[source]) {
      this.run.checks.required({ arguments: [declaration.source] });
      var exports = this.uid('imported');
      var required = variable(exports, call('require', [t.stringLiteral(source)]));
      required.loc = declaration.loc;
      this.modules[source] = { exports: exports, statements: [required] };
      this.required.push(this.modules[source]);
    }
    return this.modules[source];
  };

  Conversion.prototype.made = function (module, helper) {
    if (!module[helper]) {
      module[helper] = this.uid('imported');
      module.statements.push(variable(module[helper],
          call(this.helper(helper), [t.identifier(module.exports)])));
    }
    return module[helper];
  };

  // What stands for an imported name; for "*" the namespace.
  Conversion.prototype.value = function (module, name) {
    if (name === '*') {
      return t.identifier(this.made(module, 'namespace'));
    }
    return name === 'default' ? member(this.made(module, 'byDefault'), 'default')
        : member(module.exports, name);
  };

  function importedName(specifier) {
    return specifier.type === 'ImportNamespaceSpecifier' ? '*'
        : specifier.type === 'ImportDefaultSpecifier' ? 'default' : nameOf(specifier.imported);
  }

  Conversion.prototype.imports = function (declaration) {
    var module = this.module(declaration);
    var self = this;
    declaration.specifiers.forEach(function (specifier) {
      var value = self.value(module, importedName(specifier));
      self.imported[specifier.local.name] = value;
      self.path.scope.getBinding(specifier.local.name).referencePaths.forEach(function (use) {
        if (use.isIdentifier() && !use.parentPath.isExportSpecifier()) {
          replace(use, t.cloneNode(value));
        }
      });
    });
  };

  // A function that is imported is called without an object.
  function replace(use, value) {
    value.loc = use.node.loc;
    if (use.parent.type === 'ObjectProperty' && use.parent.shorthand) {
      use.parent.shorthand = false;
    }
    var called = (use.key === 'callee' && use.parent.type !== 'NewExpression' || use.key === 'tag')
        && value.type === 'MemberExpression';
    use.container[use.key] = called
        ? t.sequenceExpression([t.numericLiteral(0), value]) : value;
  }

  Conversion.prototype.exportsNamed = function (node) {
    var self = this;
    if (node.declaration) {
      Object.keys(t.getBindingIdentifiers(node.declaration, false, true)).forEach(function (name) {
        self.exported[name] = t.identifier(name);
      });
      this.body.push(node.declaration);
      return;
    }
    var module = node.source ? this.module(node) : null;
    node.specifiers.forEach(function (specifier) {
      var local = specifier.type === 'ExportNamespaceSpecifier' ? '*' : nameOf(specifier.local);
      self.exported[nameOf(specifier.exported)] = module ? self.value(module, local)
          : self.imported[local] || t.identifier(local);
    });
  };

  Conversion.prototype.exportsDefault = function (node) {
    var value = node.declaration;
    if (/Declaration$/.test(value.type) && value.id) {
      this.exported['default'] = t.identifier(value.id.name);
      this.body.push(value);
      return;
    }
    var name = this.uid('default');
    var declared = variable(name, value);
    declared.loc = node.loc;
    this.exported['default'] = t.identifier(name);
    this.body.push(declared);
  };

  Conversion.prototype.exportsAll = function (node) {
    var module = this.module(node);
    var namespace = this.value(module, '*');
    module.statements.push(t.expressionStatement(call(this.helper('all'),
        [t.identifier('exports'), namespace])));
  };

  // The getters come before the imports: a module of a cycle sees them at once.
  Conversion.prototype.definition = function () {
    var exported = this.exported;
    if (exported['default'] && !exported.__esModule) {
      exported.__esModule = t.booleanLiteral(true);
    }
    var names = Object.keys(exported).sort();
    var getters = names.map(function (name) {
      return t.functionExpression(null, [],
          t.blockStatement([t.returnStatement(t.cloneNode(exported[name]))]));
    });
    return t.expressionStatement(call(this.helper('define'),
        [t.identifier('exports'), t.arrayExpression(names.map(function (name) {
          return t.stringLiteral(name);
        })), t.arrayExpression(getters)]));
  };

  function rename(scope, names) {
    names.forEach(function (name) {
      if (scope.hasOwnBinding(name)) {
        scope.rename(name);
      }
    });
  }

  // An ES module does not see the names of CommonJS, and may declare them.
  function hideArguments(path) {
    var program = path.node;
    var scope = path.scope;
    var unseen = OF_COMMONJS.filter(function (name) {
      return scope.globals[name] && !scope.hasOwnBinding(name);
    });
    if (unseen.length > 0) {
      unseen.forEach(function (name) { program.body.push(variable(name, null)); });
      scope.crawl();
    }
    rename(scope, OF_COMMONJS.concat('process', GLOBALS));
  }

  Conversion.prototype.convert = function () {
    var program = this.path.node;
    var self = this;
    hideArguments(this.path);
    program.body.forEach(function (node) {
      if (node.source) {
        self.module(node);
      }
    });
    program.body.forEach(function (node) {
      if (node.type === 'ImportDeclaration') {
        self.imports(node);
      }
    });
    program.body.forEach(function (node) {
      if (node.type === 'ExportNamedDeclaration') {
        self.exportsNamed(node);
      } else if (node.type === 'ExportDefaultDeclaration') {
        self.exportsDefault(node);
      } else if (node.type === 'ExportAllDeclaration') {
        self.exportsAll(node);
      } else if (node.type !== 'ImportDeclaration') {
        self.body.push(node);
      }
    });
    var definition = this.definition();
    var statements = this.required.map(function (module) { return module.statements; });
    program.body = [].concat.apply(this.helpers.concat(definition), statements.concat(this.body));
    program.directives = [t.directive(t.directiveLiteral('use strict'))];
  };

  // The function that stands for import: a promise of what require returns, as a namespace.
  function importing(name) {
    var is = HELPERS.isNamespace.replace('NAME', '');
    var namespace = HELPERS.namespace.replace('NAME', '').replace('IS', '(' + is + ')');
    return parsed('function ' + name + '(name) { return Promise.resolve().then(function () {'
        + ' return (' + namespace + ')(require("" + name)); }); }');
  }

  // What import.meta says about a module: what CommonJS modules know of themselves.
  function meta(name) {
    return parsed('var ' + name + ' = { dirname: __dirname, filename: __filename,'
        + ' url: "file://" + __filename };');
  }

  return {
    convert: function (path, run) {
      if (run.found.esModule) {
        new Conversion(path, run).convert();
      } else {
        rename(path.scope, GLOBALS);
      }
      path.node.body = [].concat(run.naming || [], run.imported ? importing(run.imported) : [],
          run.meta ? meta(run.meta) : [], path.node.body);
      path.scope.crawl();
    }
  };
})
