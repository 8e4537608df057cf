-- Sessions, service keys, staff roles and alerts are announced by their writers, as customers' tables are.
drop trigger changed_session_is_announced on session;
drop trigger session_end_is_announced on session;
drop trigger changed_service_key_is_announced on service_key;
drop trigger gone_service_key_is_announced on service_key;
drop trigger staff_role_change_is_announced on staff_role;
drop trigger alert_is_announced on alert;
drop function announce_session_change, announce_session_end, announce_service_key_change, announce_person_change, announce_alert;
