package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.Terminal;
import habemus.codec.MalformedInputException;
import habemus.lockservice.storage.StorageFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus backup}: a copy of all that the service knows. */
public final class BackupCommand implements Command {

    private static final String EXAMPLE = "habemus backup tuesday.habemus";

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public String summary() {
        return "Writes a copy of all that the service knows to a file, for habemus restore.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return NodeQuery.syntax(this, "FILE [options]")
                .positionals("FILE", false)
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var file = Path.of(AdminRequest.requireArgument(parsed, 0, "file", EXAMPLE));
        var bytes = ServiceClient.of(parsed).download("/backup");
        long index = index(bytes);
        write(file, bytes);
        var answer = new JsonObject();
        answer.addProperty("file", file.toString());
        answer.addProperty("bytes", bytes.length);
        answer.addProperty("index", index);
        return NodeQuery.print(
                parsed,
                answer,
                terminal,
                any -> file + ": " + bytes.length + " bytes, all up to command " + index
                        + "; with it clients can be impersonated, so keep it to yourself\n");
    }

    private static long index(byte[] bytes) {
        try {
            return StorageFormat.decodeTable(bytes).index();
        } catch (MalformedInputException garbage) {
            throw CommandException.failure("what the node sent is no backup: " + garbage.getMessage(), "try again");
        }
    }

    /** Nobody else may read it. */
    private static void write(Path file, byte[] bytes) {
        try {
            if (Files.exists(file)) {
                throw CommandException.usage(file + " is there already", "choose another name, or remove it");
            }
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, bytes);
        } catch (IOException refused) {
            throw CommandException.failure(
                    "cannot write " + file + ": " + refused.getMessage(), "is there room for it?");
        }
    }
}
