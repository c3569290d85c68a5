package habemus.cli.web;

import habemus.lab.command.CommandException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The built page: a folder of files for a server, and files that need none, one for each engine. */
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

    /** With the engine in WebAssembly. */
    Path oneFile() {
        return folder.resolve("lab.html");
    }

    /** With the engine in JavaScript, which every browser runs, but more slowly. */
    Path oneJavaScriptFile() {
        return folder.resolve("lab-javascript.html");
    }
}
