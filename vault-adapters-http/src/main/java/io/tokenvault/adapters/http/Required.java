package io.tokenvault.adapters.http;

/** Messages of constraints, in the domain's words, so that one mistake is told once. */
final class Required {

  static final String MESSAGE = "is required";
  static final String NAME = "must be 1 to 200 characters long and not blank";

  private Required() {}
}
