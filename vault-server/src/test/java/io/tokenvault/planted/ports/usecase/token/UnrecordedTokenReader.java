package io.tokenvault.planted.ports.usecase.token;

/** Violates: only one class calls the class that decrypts tokens. */
final class UnrecordedTokenReader {

  String reveal(TokenContents contents) {
    return contents.decrypt();
  }
}
