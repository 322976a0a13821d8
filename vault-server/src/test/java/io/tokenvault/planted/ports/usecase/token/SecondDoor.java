package io.tokenvault.planted.ports.usecase.token;

/** Breaks: one class goes to the content of tokens. */
final class SecondDoor {

  String reveal(TokenContents contents) {
    return contents.decrypt();
  }
}
