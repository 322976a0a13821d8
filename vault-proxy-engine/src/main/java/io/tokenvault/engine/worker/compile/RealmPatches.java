package io.tokenvault.engine.worker.compile;

/**
 * Script that prepares a realm for compiled code.
 *
 * <p>Its value is a function that takes the global object. Call it once, before the surface of
 * Node.js is defined.
 */
public final class RealmPatches {

  private RealmPatches() {}

  /** Returns the source of the script. */
  public static String source() {
    return ScriptResources.text("mends.js");
  }
}
