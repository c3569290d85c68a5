package habemus.service.transport;

import org.jgroups.logging.CustomLogFactory;
import org.jgroups.logging.Log;
import org.jgroups.logging.LogFactory;
import org.jgroups.logging.Slf4jLogImpl;

/** Forwards JGroups logging to SLF4J and checks the level first: JGroups formats several trace lines per message. */
public final class JGroupsSlf4jLog {

    private JGroupsSlf4jLog() {}

    /** Must be called before the first protocol is created. Does nothing if JGroups logs elsewhere. */
    public static synchronized void install() {
        if (LogFactory.getCustomLogFactory() == null && "slf4j".equalsIgnoreCase(LogFactory.loggerType())) {
            LogFactory.setCustomLogFactory(new CustomLogFactory() {
                @Override
                public Log getLog(Class<?> type) {
                    return new LevelGuardedLog(type.getName());
                }

                @Override
                public Log getLog(String category) {
                    return new LevelGuardedLog(category);
                }
            });
        }
    }

    private static final class LevelGuardedLog extends Slf4jLogImpl {

        LevelGuardedLog(String category) {
            super(category);
        }

        @Override
        public void trace(String message, Object... args) {
            if (isTraceEnabled()) {
                super.trace(message, args);
            }
        }

        @Override
        public void debug(String message, Object... args) {
            if (isDebugEnabled()) {
                super.debug(message, args);
            }
        }
    }
}
