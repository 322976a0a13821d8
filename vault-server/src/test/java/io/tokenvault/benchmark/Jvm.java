package io.tokenvault.benchmark;

import java.util.ArrayList;
import java.util.List;

/**
 * What Java programs are run with.
 *
 * @param java the program {@code java}
 * @param heap as {@code -Xmx} takes it
 * @param further options
 */
record Jvm(String java, String heap, List<String> further) {

  List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(java, "-Xmx" + heap));
    command.addAll(further);
    command.addAll(List.of(arguments));
    return command;
  }

  Jvm with(String... options) {
    List<String> all = new ArrayList<>(further);
    all.addAll(List.of(options));
    return new Jvm(java, heap, List.copyOf(all));
  }
}
