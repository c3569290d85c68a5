package habemus.cli.terminal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;

/** Passes the events of one SLF4J logger to {@link ConsoleLogging}. */
final class ConsoleLogger extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1;
    private static final @Nullable Object[] NO_ARGUMENTS = {};

    ConsoleLogger(String name) {
        this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
        return ConsoleLogging.isEnabled(name, Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return ConsoleLogging.isEnabled(name, Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return ConsoleLogging.isEnabled(name, Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return ConsoleLogging.isEnabled(name, Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return ConsoleLogging.isEnabled(name, Level.ERROR);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return ConsoleLogger.class.getName();
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String pattern,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable error) {
        ConsoleLogging.write(level, pattern, arguments == null ? NO_ARGUMENTS : arguments, error);
    }
}
