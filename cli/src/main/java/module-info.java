/** The command line: parses, calls, prints. */
module habemus.cli {
    requires habemus.core;
    requires habemus.lab;
    requires habemus.service;
    requires com.google.gson;
    requires info.picocli;
    requires java.management;
    requires static org.jspecify;
}
