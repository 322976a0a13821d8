// Makes the objects of a class of the module crypto streams, as they are in Node.js.
(function (host, load) {
  'use strict';
  var stream = load('stream');

  // Most objects are never used as streams, so their state is created when a stream first needs it.
  function state(prototype, Stream, name) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: false,
      get: function () {
        Stream.call(this, { decodeStrings: false });
        return this[name];
      },
      set: function (value) {
        Object.defineProperty(this, name, {
          value: value, writable: true, enumerable: true, configurable: true
        });
      }
    });
  }

  function put(prototype, name, method) {
    Object.defineProperty(prototype, name, {
      value: method, writable: true, enumerable: false, configurable: true
    });
  }

  // Whether the class has just become one of streams.
  function extended(prototype, Stream, states) {
    if (Object.getPrototypeOf(prototype) === Stream.prototype) {
      return false;
    }
    Object.setPrototypeOf(prototype, Stream.prototype);
    states.forEach(function (name) { state(prototype, Stream, name); });
    return true;
  }

  function writable(prototype, method) {
    if (extended(prototype, stream.Writable, ['_writableState'])) {
      put(prototype, '_write', function (chunk, encoding, done) {
        this.update(chunk, encoding);
        done();
      });
    }
    return stream.Writable.prototype[method];
  }

  // Returns the last output. A hash can still be asked for its digest.
  function last(object) {
    if (object.final) {
      return object.final();
    }
    return (object.copy ? object.copy() : object).digest();
  }

  // What "update" returns is output, unless it is the object itself, as for hashes.
  function transform(prototype, method) {
    if (extended(prototype, stream.Transform, ['_readableState', '_writableState'])) {
      put(prototype, '_transform', function (chunk, encoding, done) {
        var made = this.update(chunk, encoding);
        done(null, made === this ? undefined : made);
      });
      put(prototype, '_flush', function (done) {
        var made;
        try {
          made = last(this);
        } catch (error) {
          done(error);
          return;
        }
        done(null, made);
      });
    }
    return stream.Transform.prototype[method];
  }

  return { writable: writable, transform: transform };
})
