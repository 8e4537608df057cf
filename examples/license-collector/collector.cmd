@echo off
rem Starts the license collector. The task LicenseCollector (license-collector.xml) calls this file.
rem Fill in the settings; README.md says what they are.
set PORTAL=https://licensing.example.com
set TOKEN=
set CUSTOMER=
set SERVER_ID=
set LOG=C:\FlexLM\debug.log
set LMSTAT=C:\FlexLM\lmutil.exe lmstat -a -c 1055@localhost
rem To install options files, see README.md:
rem set OPTIONS_FILE=C:\FlexLM\ansyslmd.opt
rem set REREAD=C:\FlexLM\lmutil.exe lmreread -c 1055@localhost -vendor ansyslmd
set STATE_FOLDER=%~dp0state
cd /d "%~dp0"
node collector.ts >> collector.log 2>&1
