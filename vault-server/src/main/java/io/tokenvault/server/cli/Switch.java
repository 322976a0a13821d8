package io.tokenvault.server.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@code on} or {@code off}, on the command line and in what commands print. */
enum Switch {
  ON,
  OFF;

  static Switch of(boolean on) {
    return on ? ON : OFF;
  }

  boolean isOn() {
    return this == ON;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads a value of an option. */
  static final class Converter implements ITypeConverter<Switch> {
    @Override
    public Switch convert(String value) {
      return switch (value) {
        case "on" -> ON;
        case "off" -> OFF;
        default -> throw new TypeConversionException("must be on or off");
      };
    }
  }
}
