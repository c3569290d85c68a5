package habemus.cli.terminal;

import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A Markdown file with a marked section that a command fills. */
public final class MarkdownFile {

    private MarkdownFile() {}

    /**
     * @param content what the section holds, for the error message
     * @throws CommandException if the file has no such section
     */
    public static MarkdownSection readSection(String name, String command, String content) {
        try {
            return MarkdownSection.find(Files.readString(Path.of(name)), command)
                    .orElseThrow(() -> CommandException.usage(
                            name + " has no section for " + content,
                            "add the lines " + MarkdownSection.markers(command)));
        } catch (IOException unreadable) {
            throw CommandException.failure("cannot read " + name, "check that the file exists and is readable");
        }
    }

    /** The page and its translation, if there is one: {@code page.md} and {@code page.pt.md}. */
    public static List<String> withTranslation(String name) {
        var translation = name.replaceFirst("\\.md$", ".pt.md");
        return Files.exists(Path.of(translation))
                ? Stream.of(name, translation).distinct().toList()
                : List.of(name);
    }
}
