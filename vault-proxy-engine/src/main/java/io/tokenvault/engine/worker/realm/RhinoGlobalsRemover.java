package io.tokenvault.engine.worker.realm;

import java.util.List;
import java.util.Map;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * Remover of features that Rhino has and Node.js does not, as far as their removal costs no time at
 * run time.
 */
final class RhinoGlobalsRemover {

  /** The names of globals to remove. */
  private static final List<String> GLOBALS =
      List.of(
          "With",
          "Call",
          "Script",
          "Continuation",
          "JavaException",
          "InternalError",
          "CallSite",
          "uneval",
          "Iterator",
          "StopIteration",
          "isXMLName",
          "__GeneratorFunction");

  /** The static functions to remove, by their constructors. */
  private static final Map<String, List<String>> STATICS =
      Map.of(
          "Object",
          List.of("groupBy"),
          "Array",
          names(
              "concat every filter find findIndex findLast findLastIndex forEach indexOf join"
                  + " lastIndexOf map pop push reduce reduceRight reverse shift slice some sort"
                  + " splice unshift"),
          "String",
          names(
              "charAt charCodeAt concat equalsIgnoreCase indexOf lastIndexOf localeCompare match"
                  + " replace replaceAll search slice split substr substring toLocaleLowerCase"
                  + " toLowerCase toUpperCase"),
          "Promise",
          names("try withResolvers"));

  /** The namespaces with a {@code toSource} method. */
  private static final List<String> NAMESPACES = List.of("Math", "JSON");

  /** The methods to remove, by their constructors. */
  private static final Map<String, List<String>> METHODS =
      Map.of(
          "Object", names("toSource"),
          "Function", names("toSource arity"),
          "Array", names("toSource"),
          "String", names("toSource equals equalsIgnoreCase"),
          "Number", names("toSource"),
          "Boolean", names("toSource"),
          "BigInt", names("toSource"),
          "Date", names("toSource"),
          "RegExp", names("toSource prefix"));

  private RhinoGlobalsRemover() {}

  private static List<String> names(String separatedByBlanks) {
    return List.of(separatedByBlanks.split(" "));
  }

  /** Removes the features from a realm, before any code of a transform runs. */
  static void remove(ScriptableObject global) {
    STATICS.forEach((owner, names) -> names.forEach(constructor(global, owner)::delete));
    METHODS.forEach((owner, names) -> names.forEach(prototype(global, owner)::delete));
    NAMESPACES.forEach(name -> removeSource((ScriptableObject) constructor(global, name)));
    GLOBALS.forEach(global::delete);
  }

  /** Removes {@code toSource}, which is permanent in a namespace until its attributes change. */
  private static void removeSource(ScriptableObject namespace) {
    namespace.setAttributes("toSource", ScriptableObject.DONTENUM);
    namespace.delete("toSource");
  }

  private static Scriptable constructor(ScriptableObject global, String name) {
    return (Scriptable) global.get(name, global);
  }

  private static Scriptable prototype(ScriptableObject global, String name) {
    Scriptable constructor = constructor(global, name);
    return (Scriptable) constructor.get("prototype", constructor);
  }
}
