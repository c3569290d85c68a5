package habemus.cli.web;

import habemus.lab.command.CommandException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The built page: a folder of files for a server, and one file that needs none. */
record LabPage(Path folder) {

    /** The launcher names the folder into which module web is built. */
    private static final String FOLDER_PROPERTY = "habemus.web";

    /** @throws CommandException if the page is not built */
    static LabPage find() {
        var folder = Path.of(System.getProperty(FOLDER_PROPERTY, "web/target"));
        var page = new LabPage(folder);
        if (!Files.isReadable(page.served().resolve("index.html")) || !Files.isReadable(page.oneFile())) {
            throw CommandException.failure(
                    "the page of the laboratory is not built: " + folder,
                    "start ./habemus lab in a source tree, or run ./build -Dquick -pl web -am package");
        }
        return page;
    }

    Path served() {
        return folder.resolve("page");
    }

    Path oneFile() {
        return folder.resolve("lab.html");
    }
}
