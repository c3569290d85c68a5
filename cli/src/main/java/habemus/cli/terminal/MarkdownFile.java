package habemus.cli.terminal;

import habemus.lab.benchmark.MarkdownSection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A page in a file, with a place for what a command says. */
public final class MarkdownFile {

    private MarkdownFile() {}

    /**
     * @param content that is to be put there, to complain with
     * @throws CommandException if there is no place for it
     */
    public static MarkdownSection readSection(String name, String command, String content) {
        try {
            return MarkdownSection.find(Files.readString(Path.of(name)), command)
                    .orElseThrow(() -> CommandException.usage(
                            name + " has no place for " + content,
                            "put " + MarkdownSection.markers(command) + " there"));
        } catch (IOException unreadable) {
            throw CommandException.failure("cannot read " + name, "is it there, and may you read it?");
        }
    }
}
