package habemus.cli.admin;

import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.codec.MalformedInputException;
import habemus.lab.command.CommandException;
import habemus.lockservice.storage.StorageFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus backup}: writes a backup of the lock table. */
public final class BackupCommand implements Subcommand {

    private static final String EXAMPLE = "habemus backup tuesday.habemus";

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public String summary() {
        return "Writes a backup of the service to a file, for habemus restore.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return AdminRequest.withAuditOptions(NodeQuery.syntax(this, "FILE [options]"))
                .positionals("FILE", false)
                .examples(EXAMPLE);
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var file = Path.of(AdminRequest.requireArgument(parsed, 0, "FILE", EXAMPLE));
        var bytes = ServiceClient.of(parsed).download("/backup" + AdminRequest.query(parsed));
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
                any -> file + ": " + bytes.length + " bytes, up to log index " + index
                        + "; it contains session keys: keep it secret\n");
    }

    private static long index(byte[] bytes) {
        try {
            return StorageFormat.decodeTable(bytes).index();
        } catch (MalformedInputException garbage) {
            throw CommandException.failure("the node sent an invalid backup: " + garbage.getMessage(), "try again");
        }
    }

    /** Readable by the owner only. */
    private static void write(Path file, byte[] bytes) {
        try {
            if (Files.exists(file)) {
                throw CommandException.usage(file + " exists already", "choose another name, or remove the file");
            }
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, bytes);
        } catch (IOException refused) {
            throw CommandException.failure(
                    "cannot write " + file + ": " + refused.getMessage(), "check the free space and the permissions");
        }
    }
}
