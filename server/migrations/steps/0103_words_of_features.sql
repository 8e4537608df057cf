-- The words of the screens: a license server is never a host, and session starts are denied.
update feature set description = 'Activate entitlements on license servers'
 where description = 'Activate entitlements on license hosts';
update feature set description = 'Elastic denials: session starts that were denied'
 where description = 'Elastic denials: session starts that were refused';
