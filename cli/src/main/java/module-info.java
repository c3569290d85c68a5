/** The command line: parses, calls, prints. */
@SuppressWarnings("requires-automatic") // HdrHistogram is one
module habemus.cli {
    requires habemus.client;
    requires habemus.core;
    requires habemus.course;
    requires habemus.harness;
    requires habemus.lab;
    requires habemus.service;
    requires habemus.sim;
    requires com.google.gson;
    requires info.picocli;
    requires HdrHistogram;
    requires java.logging;
    requires java.management;
    requires jdk.httpserver;
    requires java.net.http;
    requires org.slf4j;
    requires static org.jspecify;

    provides org.slf4j.spi.SLF4JServiceProvider with
            habemus.cli.terminal.ConsoleLoggerProvider;
}
