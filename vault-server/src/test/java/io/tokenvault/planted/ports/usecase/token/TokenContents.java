package io.tokenvault.planted.ports.usecase.token;

/** Stands for the class that opens tokens. */
final class TokenContents {

  String open() {
    return "";
  }
}
