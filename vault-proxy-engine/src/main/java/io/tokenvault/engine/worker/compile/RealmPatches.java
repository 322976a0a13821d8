package io.tokenvault.engine.worker.compile;

/**
 * What compiled scripts need of the realm they run in: the value of this script is a function,
 * which is called once with the global object, before the realm's own prelude.
 */
public final class RealmPatches {

  private RealmPatches() {}

  public static String source() {
    return ScriptResources.text("mends.js");
  }
}
