package habemus.cli;

import habemus.lab.bench.MarkedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page in a file, with a place for what a command says. */
final class MarkedFile {

    private MarkedFile() {}

    /**
     * @param what that is to be put there, to complain with
     * @throws Refusal if there is no place for it
     */
    static MarkedPage read(String name, String command, String what) {
        try {
            return MarkedPage.of(Files.readString(Path.of(name)), command)
                    .orElseThrow(() -> Refusal.wrong(
                            name + " has no place for " + what, "put " + MarkedPage.marks(command) + " there"));
        } catch (IOException unreadable) {
            throw Refusal.cannot("cannot read " + name, "is it there, and may you read it?");
        }
    }
}
